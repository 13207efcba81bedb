import { stripVTControlCharacters } from 'node:util'
import { describeOptions } from '../../domain/behaviors/behavior.ts'
import { behaviors, openPoints } from '../../domain/behaviors/open-points.ts'
import { findingLine } from '../findings.ts'
import { visibleLine } from '../../domain/text/visible.ts'
import type { Verdict } from '../reports/verdict.ts'
import {
  differences,
  hasAll,
  optionText,
  baselineOf,
  type Factor,
  type Option,
} from '../../verify/matrix/factor.ts'
import type { Cause, Analysis } from '../../verify/matrix/analyze.ts'
import type { CombinationRun } from '../../verify/matrix/run-log.ts'
import { dependsOn, type SuiteRun } from './run-suite.ts'

/** The result of a matrix, with what its texts need. */
export interface MatrixResult extends Analysis<SuiteRun> {
  readonly factors: readonly Factor[]
  /** The command line of one run. */
  readonly repeat: (varied: readonly Option[]) => string
  readonly hasParallel: boolean
  /** The elapsed time. With simultaneous runs it is less than their sum. */
  readonly ms: number
  /** Why it ended early. */
  readonly stopped?: 'interrupted' | 'hangs' | undefined
}

/** One verdict for the baseline, for each option, and for each cause with several options. */
export function verdictsOf(result: MatrixResult): Verdict[] {
  const { factors, causes } = result
  const options = factors.flatMap(({ name, values }) => values.slice(1).map((value) => ({ name, value })))
  const start = baselineOf(factors)
  const others = causes.filter(({ options: [first, ...more] }) => more.length > 0 || hasOption(start, first))
  return [
    baselineVerdict(result),
    ...(result.flaky ? [flakyVerdict(result, result.flaky)] : []),
    ...options.map((option) => optionVerdict(result, option)),
    ...others.map((cause) => causeVerdict(result, cause)),
  ]
}

const hasOption = (start: Parameters<typeof hasAll>[0], option: Option | undefined): boolean =>
  option !== undefined && hasAll(start, [option])

/** `nothing varied`, or `payId=distinct webhookEncoding=json`. */
export const combinationName = (varied: readonly Option[]): string =>
  varied.length === 0 ? 'nothing varied' : varied.map(optionText).join(' ')

function baselineVerdict({
  runs,
  causes,
  alwaysFails,
  flaky,
  stopped,
  factors,
  repeat,
}: MatrixResult): Verdict {
  const first = runs[0]!
  const base = { name: combinationName([]), group: 'behaviors', ms: first.run.ms }
  if (first.run.passed) return { ...base, outcome: 'passed' }
  const start = baselineOf(factors)
  const why = causes.filter(({ options }) => hasAll(start, options)).flatMap(({ options }) => options)
  return {
    ...base,
    outcome: 'failed',
    message: stopped
      ? stopped === 'hangs'
        ? `It ${timeoutText(first.run)}, and neither had a second run, so no more were started. Make it end without --matrix first.`
        : 'It fails.'
      : alwaysFails
        ? 'It fails with every behavior, so none of them is the cause. Make it pass without --matrix first.'
        : flaky?.[0] === first
          ? 'It failed, and passed when it was repeated.'
          : `It fails, because of ${combinationName(why)}.`,
    // Output and command appear once: here if no cause was found, otherwise in the verdict of the cause.
    ...(alwaysFails || stopped ? { details: outputOf(first.run), repeat: repeat([]) } : {}),
  }
}

function flakyVerdict(
  { repeat, factors, hasParallel }: MatrixResult,
  [failed, passed]: readonly [CombinationRun<SuiteRun>, CombinationRun<SuiteRun>],
): Verdict {
  const varied = differences(failed.combination, baselineOf(factors))
  return {
    name: 'deterministic',
    group: 'behaviors',
    outcome: 'failed',
    ms: failed.run.ms + passed.run.ms,
    message: `Flaky: with ${combinationName(varied)} it failed, and passed when it was repeated. The matrix stopped there.`,
    details: [
      hasParallel
        ? 'Simultaneous runs may disturb each other: try --jobs 1. If that does not help, make the suite deterministic first.'
        : 'Make the suite deterministic first.',
      outputOf(failed.run),
    ].join('\n'),
    repeat: repeat(varied),
  }
}

function optionVerdict(result: MatrixResult, option: Option): Verdict {
  const { runs, causes, alwaysFails, flaky, stopped } = result
  const tried = runs.filter(({ combination }) => hasAll(combination, [option]))
  const passing = tried.filter(({ run }) => run.passed)
  const ms = tried.reduce((sum, { run }) => sum + run.ms, 0)
  const base = { name: optionText(option), group: 'behaviors', ms }
  const blame = causes.find(({ options }) => options.length === 1 && optionText(options[0]!) === base.name)
  if (blame) return causeVerdict(result, blame)
  if (stopped && passing.length === 0) {
    const message = stopped === 'hangs' ? 'Not judged: the suite does not end.' : 'Not judged: interrupted.'
    return { ...base, outcome: 'skipped', message }
  }
  // Runs that all fail may fail before they reach the code that depends on it.
  if (!(passing.length === 0 ? runs : tried).some(({ run }) => dependsOn(run, option.name))) {
    return {
      ...base,
      outcome: 'skipped',
      message: 'not covered: no run relied on it, so the suite proves nothing about it.',
    }
  }
  if (passing.length === 0) {
    const others = causes.filter(({ options }) => tried.some((ran) => hasAll(ran.combination, options)))
    const why = alwaysFails
      ? 'the suite always fails'
      : flaky
        ? 'the suite is flaky'
        : `every run with it had ${others.map(({ options }) => combinationName(options)).join(' or ')} too`
    return { ...base, outcome: 'skipped', message: `Not judged: ${why}.` }
  }
  return { ...base, outcome: 'passed' }
}

function causeVerdict(
  { runs, factors, repeat }: MatrixResult,
  { options, failed }: Cause<SuiteRun>,
): Verdict {
  const varied = differences(failed.combination, baselineOf(factors))
  const ms = runs
    .filter(({ combination }) => hasAll(combination, options))
    .reduce((sum, { run }) => sum + run.ms, 0)
  return {
    name: combinationName(options),
    group: options.length === 1 ? 'behaviors' : 'behaviors together',
    outcome: 'failed',
    ms,
    message:
      options.length === 1
        ? 'It breaks the suite.'
        : 'Together they break the suite, and neither does alone.',
    details: [...options.flatMap(adviceLines), outputOf(failed.run)].join('\n'),
    repeat: repeat(varied),
  }
}

function adviceLines({ name }: Option): string[] {
  const { reference, assumption } = openPoints[name]
  const settle = `Or confirm with the provider, and set --behavior ${name}=<value>: ${describeOptions(name)}.`
  return [
    `The reference on ${name}: ${reference}`,
    `The sandbox: ${assumption}`,
    `What to do: ${behaviors[name].advice} ${settle}`,
  ]
}

/** `had not ended within 3 s (--timeout)` */
export const timeoutText = ({ timeoutMs }: Pick<SuiteRun, 'timeoutMs'>): string =>
  `had not ended within ${timeoutMs / 1000} s (--timeout)`

const MAX_LINES = 40

/** Why a run failed, and the end of its output. */
export function outputOf(run: SuiteRun): string {
  const { code, timedOut, output, findings } = run
  const lines = output.trimEnd().split(/\r?\n/).slice(-MAX_LINES)
  const ended = timedOut
    ? `It ${timeoutText(run)}, and was ended.`
    : code === 0 && findings.length > 0
      ? 'It ended with 0, and --fail-on found:'
      : `It ended with ${code}.`
  return [
    ended,
    ...findings.map(findingLine),
    ...(findings.length === 0 ? [] : ['To keep the events, repeat the run with --report <file>.']),
    ...(output.trim() === '' ? ['It had no output.'] : ['The end of its output:', ...lines.map(readable)]),
  ].join('\n')
}

/** Removes the control sequences of a terminal. */
const readable = (line: string): string =>
  `  ${visibleLine(stripVTControlCharacters(line).replaceAll('\t', '    '))}`

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
