import { expect, test } from 'vitest'
import type { BehaviorName } from '../../../server/domain/behaviors/open-points.ts'
import { baselineOf, type Combination, type Factor } from '../../../server/verify/matrix/factor.ts'
import { analyze, type Analysis } from '../../../server/verify/matrix/analyze.ts'
import { matrixJson, matrixText } from '../../../server/cli/matrix/matrix-text.ts'
import { verdictsOf } from '../../../server/cli/matrix/verdicts.ts'
import { dependsOn, type SuiteRun } from '../../../server/cli/matrix/run-suite.ts'

const factors: readonly Factor[] = [
  { name: 'payId', values: ['same', 'distinct'] },
  { name: 'webhookEncoding', values: ['form', 'json'] },
  { name: 'order', values: ['together', 'webhook-first', 'redirect-first'] },
]

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
    behaviors: {} as SuiteRun['behaviors'],
    report: {
      since: '',
      openPoints,
      operations: [],
      documentedErrors: [],
      outcomes: [],
    } as unknown as SuiteRun['report'],
  }
}

const verdictsIn = (judgement: Analysis<SuiteRun>) =>
  Object.fromEntries(
    verdictsOf({ ...judgement, factors, repeat: () => '', hasParallel: false, ms: 0 }).map(
      ({ name, outcome, message }) => [name, message ?? outcome],
    ),
  )

async function judged(passes: (combination: Combination) => boolean, dependedOn: readonly BehaviorName[]) {
  const run = (combination: Combination) => runOf(passes(combination), dependedOn)
  const start = baselineOf(factors)
  return verdictsIn(await analyze(factors, run(start), async (all) => all.map(run), dependsOn))
}

const NOT_COVERED = 'not covered: no run relied on it, so the suite proves nothing about it.'

const isBroken = (combination: Combination): boolean =>
  combination.payId === 'distinct' || combination.webhookEncoding === 'json'

test('an option that occurred only in a failing run, and that none depended on, is skipped for a steady suite', async () => {
  const verdicts = await judged((one) => !isBroken(one), ['payId', 'webhookEncoding'])
  expect(verdicts).toMatchObject({
    'payId=distinct': 'It breaks the suite.',
    'webhookEncoding=json': 'It breaks the suite.',
    'order=webhook-first': NOT_COVERED,
    'order=redirect-first': NOT_COVERED,
  })
})

test('an option that occurred only in a failing run is reported with that run', () => {
  const start = baselineOf(factors)
  const combination = { ...start, payId: 'distinct', order: 'redirect-first' } as const
  const failed = { combination, run: runOf(false, ['payId']) }
  const verdicts = verdictsIn({
    runs: [{ combination: start, run: runOf(true, ['payId', 'order']) }, failed],
    causes: [{ options: [{ name: 'payId', value: 'distinct' }], failed }],
    flaky: undefined,
    alwaysFails: false,
  })
  expect(verdicts['order=redirect-first']).toBe('Not judged: every run with it had payId=distinct too.')
})

test('the duration of simultaneous runs is the elapsed time, not their sum', () => {
  const start = baselineOf(factors)
  const runs = [1, 2, 3].map(() => ({ combination: start, run: { ...runOf(true, []), ms: 20_000 } }))
  const judgement = { runs, causes: [], flaky: undefined, alwaysFails: false }
  const result = { ...judgement, factors, repeat: () => '', hasParallel: true, ms: 37_900 }
  const verdicts = verdictsOf(result)

  expect(matrixText(result, verdicts).split('\n').at(-1)).toBe(
    'No behavior breaks the suite. 3 runs, 37.9 s in all.',
  )
  expect(matrixJson(result, verdicts)).toMatchObject({ ms: 37_900, runs: [{ ms: 20_000 }, {}, {}] })
})
