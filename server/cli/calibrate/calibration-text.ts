import {
  differingBehaviors,
  type Calibration,
  type FoundDifference,
} from '../../verify/calibration/calibrate.ts'
import type { Answer } from '../../domain/api/describe-answer.ts'
import { MAX_STORED_BODY_BYTES } from '../../domain/http/exchange.ts'
import { NOTE } from '../../verify/calibration/probes.ts'
import { readData, responseCode } from '../../domain/api/read-answer.ts'
import type { ProbeExchange } from '../../verify/calibration/run-probe.ts'
import type { CalibrationPoint } from '../../contract/schemas/calibration.ts'
import { defaultOption, isBehaviorName, type BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import { groupOpenPoints } from '../../domain/behaviors/open-point-groups.ts'
import { openPoints, type AssumptionName } from '../../domain/behaviors/open-points.ts'
import { truncate } from '../../domain/text/truncate.ts'
import { visibleLine } from '../../domain/text/visible.ts'
import { plural } from '../../contract/format/values.ts'
import type { CaseVerdict } from '../reports/verdict.ts'
import type { ProbeSelection } from '../../verify/calibration/select-probes.ts'

/** The result of a run, for the selected points. */
export interface CalibrationResult {
  readonly points: readonly (readonly [AssumptionName, CalibrationPoint])[]
  readonly differences: readonly FoundDifference[]
  readonly failures: readonly ProbeExchange[]
  /** The number of requests that were not sent, and the reason for the first of them. */
  readonly unsent: { readonly count: number; readonly reason: string } | null
  readonly exchanges: readonly ProbeExchange[]
  readonly evaluated: number
  /** The control call whose failure ended the run early. `null` if none failed. */
  readonly stopped: string | null
  /** For each recorded call that could not be compared, the reason. */
  readonly comparisonSkipped: readonly string[]
  readonly current: BehaviorChoices
  /** The behaviors that the service has, as far as they differ from the sandbox's. */
  readonly toSet: BehaviorChoices
}

export function calibrationResult(
  calibration: Calibration,
  { wanted, points }: ProbeSelection,
  current: BehaviorChoices,
): CalibrationResult {
  const isWanted = ({ probe }: ProbeExchange): boolean => wanted.has(probe)
  const reported = (Object.entries(calibration.points) as [AssumptionName, CalibrationPoint][]).filter(
    ([name]) => points.has(name),
  )
  const differing = differingBehaviors(Object.fromEntries(reported), current)
  return {
    points: reported,
    differences: calibration.differences.filter(({ exchange }) => isWanted(exchange)),
    failures: calibration.failures.filter(isWanted),
    unsent: unsentIn(calibration.exchanges),
    exchanges: calibration.exchanges,
    evaluated: calibration.evaluated.filter(isWanted).length,
    stopped: calibration.stopped,
    comparisonSkipped: calibration.comparisonSkipped ?? [],
    current,
    toSet: Object.fromEntries(differing.map((name) => [name, valueOf(calibration.points[name])!])),
  }
}

function unsentIn(exchanges: readonly ProbeExchange[]): CalibrationResult['unsent'] {
  const unsent = exchanges.filter(({ step, startedAt }) => startedAt === null && !step.awaits)
  const [first] = unsent
  return first === undefined ? null : { count: unsent.length, reason: first.failure ?? '' }
}

const valueOf = (point: CalibrationPoint | undefined): string | undefined =>
  point?.verdict === 'confirmed' ? point.value : undefined

type PointOutcome = 'agrees' | 'differs' | 'undecided'

function outcomeOf(
  name: AssumptionName,
  point: CalibrationPoint,
  { toSet }: CalibrationResult,
): { readonly outcome: PointOutcome; readonly title: string; readonly text: string } {
  if (point.verdict === 'undecided') return { outcome: 'undecided', title: name, text: point.reason }
  const evidence = `${point.exchanges} ${point.exchanges === 1 ? 'exchange' : 'exchanges'}`
  if (point.verdict === 'differs') {
    return { outcome: 'differs', title: name, text: `the service differs from the assumption in ${evidence}` }
  }
  if (!isBehaviorName(name)) return { outcome: 'agrees', title: name, text: `as assumed in ${evidence}` }
  const title = `${name}=${point.value}`
  return name in toSet
    ? { outcome: 'differs', title, text: `shown by ${evidence}; the sandbox is set to another option` }
    : { outcome: 'agrees', title, text: `shown by ${evidence}` }
}

const MARKS = { agrees: '✓', differs: '✕', undecided: '?' } as const satisfies Record<PointOutcome, string>

const MAX_BODY = 1_000

export function* resultLines(result: CalibrationResult): Generator<string> {
  // If nothing could be asked, every point is undecided for the reason that the last line says.
  const isAnyAsked = result.evaluated > 0 || result.stopped === null
  const grouped = groupOpenPoints(
    (isAnyAsked ? result.points : []).map(([name, point]) => ({
      name,
      point,
      group: openPoints[name].group,
    })),
  )
  for (const { title: heading, points } of grouped) {
    yield ''
    yield heading
    for (const { name, point } of points) yield visibleLine(pointLine(name, point, result))
  }
  yield ''
  for (const difference of result.differences) {
    yield visibleLine(
      `✕ ${difference.operation} ${difference.place}: ${difference.text} (#${numberOf(difference.exchange, result)})`,
    )
    for (const line of detailsOf(difference)) yield visibleLine(`    ${line}`)
  }
  for (const line of missingLines(result)) yield visibleLine(line)
  if (result.unsent && isAnyAsked)
    yield visibleLine(`Not sent: ${plural(result.unsent.count, 'request')}. Reason: ${result.unsent.reason}.`)
  const created = createdLinks(result.exchanges)
  if (created.length > 0) {
    yield visibleLine(
      `Created ${plural(created.length, 'link')} with the note "${NOTE}": ${created.map(({ id }) => id).join(', ')}. No call of the API deletes them.`,
    )
  }
}

function pointLine(name: AssumptionName, point: CalibrationPoint, result: CalibrationResult): string {
  const { outcome, title, text } = outcomeOf(name, point, result)
  const set =
    outcome === 'differs' && isBehaviorName(name) ? ` (${result.current[name] ?? defaultOption(name)})` : ''
  return `${MARKS[outcome]} ${title}: ${text}${set}`
}

/** The requests without an answer of the service, and the reason why the run stopped. */
export function* missingLines({
  failures,
  comparisonSkipped,
  stopped,
  evaluated,
}: CalibrationResult): Generator<string> {
  const calls = failures.filter(({ request }) => request !== null)
  for (const reason of new Set(calls.map(({ failure }) => failure))) {
    const same = calls.filter(({ failure }) => failure === reason)
    const titles = same.map(({ step }) => step.title)
    if (titles.length === 1) yield `✕ ${titles[0]}: ${reason}`
    else if (same[0]!.instead) yield `✕ ${titles.length} requests were ${reason}: ${titles.join(', ')}`
    else yield `✕ ${titles.length} requests: ${reason}: ${titles.join(', ')}`
  }
  for (const { step, request, failure } of failures) if (request === null) yield `✕ ${step.title}: ${failure}`
  for (const reason of new Set(comparisonSkipped)) {
    const count = comparisonSkipped.filter((one) => one === reason).length
    yield `? ${plural(count, 'answer')} not compared: ${reason}`
  }
  if (stopped === null) return
  const kept = evaluated === 0 ? '' : ' Nothing counts that came after the last control call that succeeded.'
  yield `✕ The run stopped: ${stopped}.${kept}`
}

/** Both responses, and what the reference says. */
const detailsOf = ({
  point,
  documented,
  exchange,
  expectedExchange,
  ...difference
}: FoundDifference): string[] => [
  ...(point === null ? [] : [`Open point: ${point}`]),
  documented
    ? `Reference: shows ${difference.sandbox === null ? 'nothing more than the sandbox answers' : 'what the sandbox answers'}`
    : 'Reference: does not show it',
  `Sandbox: ${describeAnswerText(expectedExchange.answer)}`,
  `Service: ${describeAnswerText(exchange.answer)}`,
]

const describeAnswerText = (answer: Answer | null): string =>
  answer === null ? 'no answer' : `HTTP ${answer.status} ${truncate(answer.body.content, MAX_BODY)}`

const numberOf = (exchange: ProbeExchange, { exchanges }: CalibrationResult): number =>
  exchanges.indexOf(exchange) + 1

interface CreatedLink {
  readonly id: string
  readonly payLink: string
}

/** The links that the service created. */
const createdLinks = (exchanges: readonly ProbeExchange[]): CreatedLink[] =>
  exchanges.flatMap(({ step, answer }) => {
    const isCreated = step.operation.startsWith('create') && responseCode(answer ?? undefined) === 1
    const data = isCreated ? readData(answer ?? undefined) : undefined
    return data === undefined ? [] : [{ id: String(data.id), payLink: String(data.pay_link) }]
  })

/** `Open points: 19 agree, 1 different, 15 undecided. …` */
export function summaryLine(result: CalibrationResult, calls: number): string {
  const counts = { agrees: 0, differs: 0, undecided: 0 }
  for (const [name, point] of result.points) counts[outcomeOf(name, point, result).outcome] += 1
  const { differences, failures } = result
  return [
    `Open points: ${counts.agrees} agree, ${counts.differs} different, ${counts.undecided} undecided.`,
    `Differences: ${differences.length}. Missing answers: ${failures.length}. Calls: ${calls}.`,
  ].join(' ')
}

/**
 * The verdicts for reports: one for each open point, then the differences that no open point explains, then the missing
 * responses.
 */
export const calibrationVerdicts = (result: CalibrationResult): CaseVerdict[] => [
  ...result.points.map(([name, point]): CaseVerdict => {
    const { outcome, text } = outcomeOf(name, point, result)
    const base = { name, group: 'open-points', ms: 0 }
    if (outcome === 'agrees') return { ...base, outcome: 'passed' }
    if (outcome === 'undecided') return { ...base, outcome: 'skipped', message: text }
    const about = result.differences.filter((difference) => difference.point === name)
    return {
      ...base,
      outcome: 'failed',
      message: text,
      ...(about.length === 0
        ? {}
        : { details: about.flatMap((one) => [one.text, ...detailsOf(one)]).join('\n') }),
    }
  }),
  ...result.differences
    .filter(({ point }) => point === null)
    .map((difference): CaseVerdict => ({
      name: `${difference.operation} ${difference.place}`,
      group: 'differences',
      outcome: 'failed',
      ms: difference.exchange.ms,
      message: difference.text,
      details: detailsOf(difference).join('\n'),
    })),
  ...result.failures.map(({ step, failure, ms }): CaseVerdict => ({
    name: step.title,
    group: 'answers',
    outcome: 'failed',
    ms,
    message: failure ?? '',
  })),
  ...(result.stopped === null
    ? []
    : [
        {
          name: 'control call',
          group: 'answers',
          outcome: 'failed' as const,
          ms: 0,
          message: `The run stopped: ${result.stopped}.`,
        },
      ]),
]

/** Shortens a large body, because every difference contains both responses again. `size` stays the size of the whole body. */
const withShortBody = (answer: Answer | null): Answer | null =>
  answer && {
    ...answer,
    body: { ...answer.body, content: truncate(answer.body.content, MAX_STORED_BODY_BYTES) },
  }

/** The result as JSON, with both responses of each difference. */
export const resultJson = (result: CalibrationResult) => ({
  points: Object.fromEntries(result.points),
  set: result.toSet,
  differences: result.differences.map((difference) => {
    const { exchange, expectedExchange, ...rest } = difference
    return {
      ...rest,
      exchange: numberOf(exchange, result),
      request: exchange.request,
      sandboxAnswer: withShortBody(expectedExchange.answer),
      serviceAnswer: withShortBody(exchange.answer),
    }
  }),
  failures: result.failures.map(({ step, failure, ...one }) => ({
    request: step.title,
    failure,
    exchange:
      result.exchanges.findIndex(({ step: other, probe }) => other === step && probe === one.probe) + 1,
  })),
  comparisonSkipped: result.comparisonSkipped,
  stopped: result.stopped,
  created: createdLinks(result.exchanges),
})
