import { stripVTControlCharacters } from 'node:util'
import { describeOptions } from '../../domain/behaviors/behavior.ts'
import { behaviors, openPoints, type BehaviorName } from '../../domain/behaviors/open-points.ts'
import { visibleLine } from '../../domain/text/visible.ts'
import { findingLine } from '../findings.ts'
import type { CaseVerdict } from '../reports/verdict.ts'
import type { BreakingOptions, Matrix } from './find-causes.ts'
import { isSameOption, optionsText, pairsOf, type BehaviorOption } from './option.ts'
import { dependsOn, type SuiteRun } from './run-suite.ts'

/** The result of a matrix, and what else its texts need. */
export interface MatrixResult extends Matrix<SuiteRun> {
  readonly options: readonly BehaviorOption[]
  readonly paired: readonly BehaviorOption[]
  readonly inForce: Readonly<Record<BehaviorName, string>>
  /** Returns the command line that repeats one run. */
  readonly repeat: (changed: readonly BehaviorOption[]) => string
  readonly hasParallel: boolean
  /** The elapsed time. It is shorter than the sum of all runs if they take place at the same time. */
  readonly ms: number
  readonly isInterrupted: boolean
}

export const alwaysFails = ({ runs, isInterrupted }: MatrixResult): boolean =>
  !isInterrupted && runs.every(({ run }) => !run.passed)

/** Whether these options already apply, so that they break the suite even if nothing is changed. */
export const isInForce = ({ inForce }: MatrixResult, { options }: BreakingOptions<SuiteRun>): boolean =>
  options.every(({ name, value }) => inForce[name] === value)

/**
 * The verdicts: one for the first run, for each option, for each pair, and for each set of options in force that breaks the
 * suite.
 */
export function matrixVerdicts(result: MatrixResult): CaseVerdict[] {
  const { options, paired, causes } = result
  const combinations = [...options.map((option) => [option]), ...pairsOf(paired)]
  const others = causes.filter((cause) => !combinations.some((one) => isSame(one, cause.options)))
  return [
    firstVerdict(result),
    ...(result.flaky ? [flakyVerdict(result, result.flaky)] : []),
    ...combinations.map((one) => optionsVerdict(result, one)),
    ...others.map((cause) => causeVerdict(result, cause)),
  ]
}

const isSame = (some: readonly BehaviorOption[], others: readonly BehaviorOption[]): boolean =>
  some.length === others.length && some.every((one) => others.some((other) => isSameOption(one, other)))

function firstVerdict(result: MatrixResult): CaseVerdict {
  const { runs, causes, flaky, repeat } = result
  const first = runs[0]!
  const base = { name: optionsText([]), group: 'behaviors', ms: first.run.ms }
  if (first.run.passed) return { ...base, outcome: 'passed' }
  const because = causes
    .filter((cause) => isInForce(result, cause))
    .map(({ options }) => optionsText(options))
  if (because.length > 0) {
    return { ...base, outcome: 'failed', message: `It fails, because of ${because.join(', ')}.` }
  }
  if (flaky?.[0] === first) {
    return { ...base, outcome: 'failed', message: 'It failed, and passed when it was repeated.' }
  }
  return {
    ...base,
    outcome: 'failed',
    message: alwaysFails(result)
      ? 'It fails with every option, so none of them alone is the cause. Make it pass unchanged first.'
      : 'It fails.',
    details: outputOf(first.run),
    repeat: repeat([]),
  }
}

function flakyVerdict(
  { repeat, hasParallel }: MatrixResult,
  [failed, passed]: NonNullable<MatrixResult['flaky']>,
): CaseVerdict {
  return {
    name: 'deterministic',
    group: 'behaviors',
    outcome: 'failed',
    ms: failed.run.ms + passed.run.ms,
    message: `Flaky: with ${optionsText(failed.changed)} it failed, and passed when it was repeated.`,
    details: [
      hasParallel
        ? 'Simultaneous runs may disturb each other: try --jobs 1. If that does not help, make the suite deterministic first.'
        : 'Make the suite deterministic first.',
      outputOf(failed.run),
    ].join('\n'),
    repeat: repeat(failed.changed),
  }
}

function optionsVerdict(result: MatrixResult, combination: readonly BehaviorOption[]): CaseVerdict {
  const cause = result.causes.find(({ options }) => isSame(options, combination))
  if (cause) return causeVerdict(result, cause)
  const runs = result.runs.filter(({ changed }) => isSame(changed, combination)).map(({ run }) => run)
  const base = { name: optionsText(combination), group: groupOf(combination), ms: sumOf(runs) }
  const skipped = (message: string): CaseVerdict => ({ ...base, outcome: 'skipped', message })

  const isPassing = result.runs[0]!.run.passed
  const [run, repeated] = runs
  if (!run) {
    const effective = combination.find((option) => hasEffectAlone(result, option))
    if (!effective) return skipped('Not checked: interrupted.')
    return skipped(
      `Not checked: ${optionsText([effective])} alone ${isPassing ? 'breaks the suite' : 'makes the suite pass'}.`,
    )
  }
  if (!run.passed) {
    if (repeated?.passed) return skipped('Not checked: the suite is flaky.')
    return skipped(isPassing ? 'Not checked: interrupted.' : 'Not checked: the suite also fails without it.')
  }
  if (!combination.every(({ name }) => dependsOn(run, name))) {
    return skipped('not covered: the suite did not rely on it, so it proves nothing about it.')
  }
  return { ...base, outcome: 'passed' }
}

const hasEffectAlone = ({ runs }: MatrixResult, option: BehaviorOption): boolean =>
  runs.some(({ changed, run }) => isSame(changed, [option]) && run.passed !== runs[0]!.run.passed)

function causeVerdict(
  { runs, repeat }: MatrixResult,
  { options, failed }: BreakingOptions<SuiteRun>,
): CaseVerdict {
  return {
    name: optionsText(options),
    group: groupOf(options),
    outcome: 'failed',
    ms: sumOf(runs.filter(({ changed }) => isSame(changed, failed.changed)).map(({ run }) => run)),
    message:
      options.length === 1
        ? 'It breaks the suite.'
        : 'Together they break the suite, and neither does alone.',
    details: [...options.flatMap(adviceLines), outputOf(failed.run)].join('\n'),
    repeat: repeat(failed.changed),
  }
}

const groupOf = (options: readonly BehaviorOption[]): string =>
  options.length === 1 ? 'behaviors' : 'behaviors together'

const sumOf = (runs: readonly SuiteRun[]): number => runs.reduce((sum, { ms }) => sum + ms, 0)

function adviceLines({ name }: BehaviorOption): string[] {
  const { reference, assumption } = openPoints[name]
  const settle = `Or confirm with the provider, and set --behavior ${name}=<value>: ${describeOptions(name)}.`
  return [
    `The reference leaves ${name} open: ${reference}`,
    `The sandbox: ${assumption}`,
    `What to do: ${behaviors[name].advice} ${settle}`,
  ]
}

/** `had not ended within 3 s (--timeout)` */
export const timeoutText = ({ timeoutMs }: Pick<SuiteRun, 'timeoutMs'>): string =>
  `had not ended within ${timeoutMs / 1000} s (--timeout)`

const MAX_LINES = 40

/** Why a run failed, and the tail of its output. */
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

/** Removes terminal control sequences. */
const readable = (line: string): string =>
  `  ${visibleLine(stripVTControlCharacters(line).replaceAll('\t', '    '))}`
