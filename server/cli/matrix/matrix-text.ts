import { isBehaviorName } from '../../domain/behaviors/behavior.ts'
import { groupOpenPoints } from '../../domain/behaviors/open-point-groups.ts'
import { behaviors, openPoints } from '../../domain/behaviors/open-points.ts'
import type { Verdict } from '../reports/verdict.ts'
import { differences, hasAll, baselineOf } from '../../verify/matrix/factor.ts'
import { combinationName, seconds, type MatrixResult } from './verdicts.ts'

const MARKS = { passed: '✓', failed: '✕', skipped: '○' } as const satisfies Record<Verdict['outcome'], string>

/** The result of a matrix as text: a line for each option, by subject, then details of those that break the suite. */
export function matrixText(result: MatrixResult, verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length))
  const verdictLine = ({ name, outcome, message = 'passes' }: Verdict): string =>
    `${MARKS[outcome]} ${name.padEnd(width)}  ${outcome === 'passed' ? countText(result, name) : message}`
  return [
    '',
    ...verdicts.filter((verdict) => withGroup(verdict).length === 0).map(verdictLine),
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

/** The verdict with the subject of its behavior. Empty for a verdict about several behaviors. */
function withGroup(verdict: Verdict) {
  const name = verdict.name.replace(/=[^ ]*$/, '')
  return isBehaviorName(name) ? [{ verdict, group: behaviors[name].group }] : []
}

function countText({ runs }: MatrixResult, name: string): string {
  const [behavior = '', value] = name.split('=')
  if (value === undefined) return 'passes'
  const count = runs.filter(
    ({ combination, run }) => run.passed && Reflect.get(combination, behavior) === value,
  ).length
  return count === 1 ? 'passes, in 1 run' : `passes, in ${count} runs`
}

const explained = ({ name, details, repeat }: Verdict): string[] =>
  details === undefined
    ? []
    : ['', name, ...details.split('\n').map((line) => `  ${line}`), `  Repeat: ${repeat}`]

/** `2 options break it. 14 runs in 31.0 s.` */
function summaryOf({ runs, ms, causes, flaky, alwaysFails, stopped }: MatrixResult): string {
  const verdict = stopped
    ? stopped === 'hangs'
      ? 'The suite does not end.'
      : 'Interrupted.'
    : flaky
      ? 'The suite is flaky.'
      : alwaysFails
        ? 'The suite fails with every behavior.'
        : causes.length === 0
          ? 'No behavior breaks the suite.'
          : `What breaks the suite: ${causes.map(({ options }) => combinationName(options)).join(', ')}.`
  return `${verdict} ${runs.length === 1 ? '1 run' : `${runs.length} runs`}, ${seconds(ms)} in all.`
}

/** The same as JSON. */
export function matrixJson(result: MatrixResult, verdicts: readonly Verdict[]) {
  const { runs, ms: allMs, causes, flaky, alwaysFails, stopped, factors, repeat } = result
  const start = baselineOf(factors)
  return {
    type: 'matrix',
    passed: stopped === undefined && verdicts.every(({ outcome }) => outcome !== 'failed'),
    alwaysFails,
    stopped: stopped ?? null,
    ms: Math.round(allMs),
    flaky: flaky === undefined ? null : flaky[0].combination,
    causes: causes.map(({ options, failed }) => ({
      options,
      isInForce: hasAll(start, options),
      repeat: repeat(differences(failed.combination, start)),
      behaviors: options.map(({ name }) => {
        const { reference, assumption } = openPoints[name]
        return { name, reference, assumption, advice: behaviors[name].advice }
      }),
    })),
    verdicts,
    runs: runs.map(({ combination, run: { passed, code, ms, timedOut, findings } }) => ({
      behaviors: combination,
      passed,
      code,
      ms: Math.round(ms),
      timedOut,
      findings: findings.map(({ code: found, count }) => ({ code: found, count })),
    })),
    run: runs[0]!.run.report,
  }
}
