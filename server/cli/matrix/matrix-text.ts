import { groupOpenPoints } from '../../domain/behaviors/open-point-groups.ts'
import { behaviors, openPoints } from '../../domain/behaviors/open-points.ts'
import type { CaseVerdict } from '../reports/verdict.ts'
import { optionsText, type BehaviorOption } from './option.ts'
import { alwaysFails, isInForce, type MatrixResult } from './verdicts.ts'

const MARKS = { passed: '✓', failed: '✕', skipped: '○' } as const satisfies Record<
  CaseVerdict['outcome'],
  string
>

/**
 * The result of a matrix as text: one line for each option, grouped by subject, then details of the options that break the suite.
 */
export function matrixText(result: MatrixResult, verdicts: readonly CaseVerdict[]): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length))
  const verdictLine = ({ name, outcome, message = 'passes' }: CaseVerdict): string =>
    `${MARKS[outcome]} ${name.padEnd(width)}  ${message}`
  const groups = new Map(
    result.options.map((option) => [optionsText([option]), behaviors[option.name].group]),
  )
  const withGroup = (verdict: CaseVerdict) => {
    const group = groups.get(verdict.name)
    return group === undefined ? [] : [{ verdict, group }]
  }
  return [
    '',
    ...verdicts.filter(({ name }) => !groups.has(name)).map(verdictLine),
    ...groupOpenPoints(verdicts.flatMap(withGroup)).flatMap(({ title, points }) => [
      '',
      title,
      ...points.map(({ verdict }) => verdictLine(verdict)),
    ]),
    ...verdicts.flatMap(explained),
    '',
    summaryOf(result),
  ].join('\n')
}

const explained = ({ name, details, repeat }: CaseVerdict): string[] =>
  details === undefined
    ? []
    : ['', name, ...details.split('\n').map((line) => `  ${line}`), `  Repeat: ${repeat}`]

/** `What breaks the suite: payId=distinct. 14 runs, 31.0 s in all.` */
function summaryOf(result: MatrixResult): string {
  const { runs, ms, causes, flaky, isInterrupted } = result
  const verdict = isInterrupted
    ? 'Interrupted.'
    : flaky
      ? 'The suite is flaky.'
      : alwaysFails(result)
        ? 'The suite fails with every option.'
        : causes.length === 0
          ? 'No option breaks the suite.'
          : `What breaks the suite: ${causes.map(({ options }) => optionsText(options)).join(', ')}.`
  return `${verdict} ${runs.length === 1 ? '1 run' : `${runs.length} runs`}, ${seconds(ms)} in all.`
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

export function matrixJson(result: MatrixResult, verdicts: readonly CaseVerdict[]) {
  const { runs, ms: allMs, causes, flaky, isInterrupted, options, inForce, repeat } = result
  const varied = [...new Set(options.map(({ name }) => name))]
  const settingsWith = (changed: readonly BehaviorOption[]) =>
    Object.fromEntries([
      ...varied.map((name) => [name, inForce[name]]),
      ...changed.map(({ name, value }) => [name, value]),
    ])
  return {
    type: 'matrix',
    passed: !isInterrupted && verdicts.every(({ outcome }) => outcome !== 'failed'),
    alwaysFails: alwaysFails(result),
    interrupted: isInterrupted,
    ms: Math.round(allMs),
    flaky: flaky === undefined ? null : settingsWith(flaky[0].changed),
    causes: causes.map((cause) => ({
      options: cause.options,
      isInForce: isInForce(result, cause),
      repeat: repeat(cause.failed.changed),
      behaviors: cause.options.map(({ name }) => {
        const { reference, assumption } = openPoints[name]
        return { name, reference, assumption, advice: behaviors[name].advice }
      }),
    })),
    verdicts,
    runs: runs.map(({ changed, run: { passed, code, ms, timedOut, findings } }) => ({
      behaviors: settingsWith(changed),
      passed,
      code,
      ms: Math.round(ms),
      timedOut,
      findings: findings.map(({ code: found, count }) => ({ code: found, count })),
    })),
    run: runs[0]!.run.report,
  }
}
