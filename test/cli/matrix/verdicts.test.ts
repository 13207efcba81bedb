import { expect, test } from 'vitest'
import { resolveBehaviors } from '../../../server/domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../../server/domain/behaviors/open-points.ts'
import { findCauses } from '../../../server/cli/matrix/find-causes.ts'
import { matrixJson, matrixText } from '../../../server/cli/matrix/matrix-text.ts'
import type { BehaviorOption } from '../../../server/cli/matrix/option.ts'
import type { SuiteRun } from '../../../server/cli/matrix/run-suite.ts'
import { matrixVerdicts, type MatrixResult } from '../../../server/cli/matrix/verdicts.ts'

const inForce = resolveBehaviors()

const distinct: BehaviorOption = { name: 'payId', value: 'distinct' }
const json: BehaviorOption = { name: 'webhookEncoding', value: 'json' }
const webhookFirst: BehaviorOption = { name: 'order', value: 'webhook-first' }

/** A run that depended on these behaviors. */
function runOf(passed: boolean, dependedOn: readonly BehaviorName[]): SuiteRun {
  const openPoints = dependedOn.map((name) => ({ name, count: 1, reference: '', assumption: '' }))
  return {
    passed,
    code: passed ? 0 : 1,
    ms: 10,
    output: '',
    timedOut: false,
    timeoutMs: 1000,
    findings: [],
    behaviors: inForce,
    report: {
      since: '',
      openPoints,
      operations: [],
      documentedErrors: [],
      outcomes: [],
    } as unknown as SuiteRun['report'],
  }
}

/** Runs a suite that depends on `payId` and `webhookEncoding`. */
async function resultOf(
  passes: (changed: readonly BehaviorOption[]) => boolean,
  paired: readonly BehaviorOption[] = [],
): Promise<MatrixResult> {
  const options = [distinct, json, webhookFirst]
  const run = (changed: readonly BehaviorOption[]) => runOf(passes(changed), ['payId', 'webhookEncoding'])
  const found = await findCauses(run([]), { options, paired, inForce }, async (all) => all.map(run))
  return {
    ...found,
    options,
    paired,
    inForce,
    repeat: () => '',
    hasParallel: false,
    ms: 0,
    isInterrupted: false,
  }
}

const textsOf = (result: MatrixResult) =>
  Object.fromEntries(matrixVerdicts(result).map(({ name, outcome, message }) => [name, message ?? outcome]))

const NOT_COVERED = 'not covered: the suite did not rely on it, so it proves nothing about it.'

test('the matrix calls an option not covered if the suite does not depend on the option', async () => {
  expect(textsOf(await resultOf((changed) => !changed.includes(distinct)))).toEqual({
    'nothing varied': 'passed',
    'payId=distinct': 'It breaks the suite.',
    'webhookEncoding=json': 'passed',
    'order=webhook-first': NOT_COVERED,
  })
})

test('if the suite fails with the defaults, options that change nothing about this get no verdict', async () => {
  expect(textsOf(await resultOf((changed) => changed.includes(json)))).toEqual({
    'nothing varied': 'It fails, because of webhookEncoding=form.',
    'payId=distinct': 'Not checked: the suite also fails without it.',
    'webhookEncoding=json': 'passed',
    'order=webhook-first': 'Not checked: the suite also fails without it.',
    'webhookEncoding=form': 'It breaks the suite.',
  })
})

test('a pair of options has its own verdict, even if the pair was not run', async () => {
  const paired = [distinct, json, webhookFirst]
  expect(textsOf(await resultOf((changed) => !changed.includes(webhookFirst), paired))).toEqual({
    'nothing varied': 'passed',
    'payId=distinct': 'passed',
    'webhookEncoding=json': 'passed',
    'order=webhook-first': 'It breaks the suite.',
    'payId=distinct webhookEncoding=json': 'passed',
    'payId=distinct order=webhook-first': 'Not checked: order=webhook-first alone breaks the suite.',
    'webhookEncoding=json order=webhook-first': 'Not checked: order=webhook-first alone breaks the suite.',
  })
})

test('if the matrix is interrupted, options without a run get no verdict', async () => {
  const whole = await resultOf((changed) => !changed.includes(json))
  const runs = whole.runs.slice(0, 3)
  expect(textsOf({ ...whole, runs, causes: [], isInterrupted: true })).toEqual({
    'nothing varied': 'passed',
    'payId=distinct': 'passed',
    // A run that fails is repeated before its option gets a verdict.
    'webhookEncoding=json': 'Not checked: interrupted.',
    'order=webhook-first': 'Not checked: interrupted.',
  })
})

test('the duration of simultaneous runs is the elapsed time, not their sum', async () => {
  const slow = await resultOf(() => true)
  const runs = slow.runs.map((ran) => ({ ...ran, run: { ...ran.run, ms: 20_000 } }))
  const result = { ...slow, runs, hasParallel: true, ms: 37_900 }
  const verdicts = matrixVerdicts(result)

  expect(matrixText(result, verdicts).split('\n').at(-1)).toBe(
    'No option breaks the suite. 4 runs, 37.9 s in all.',
  )
  expect(matrixJson(result, verdicts)).toMatchObject({ ms: 37_900, runs: [{ ms: 20_000 }, {}, {}, {}] })
})
