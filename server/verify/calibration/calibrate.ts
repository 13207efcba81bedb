import {
  defaultOption,
  isBehaviorName,
  optionNames,
  type BehaviorChoices,
} from '../../domain/behaviors/behavior.ts'
import { openPoints, type AssumptionName, type BehaviorName } from '../../domain/behaviors/open-points.ts'
import { findHeader } from '../../domain/http/exchange.ts'
import type { CalibrationDifference, CalibrationPoint } from '../../contract/schemas/calibration.ts'
import { isDocumented } from './documented.ts'
import { judgeProbe, type Candidate, type ProbeDifference, type ProbeVerdict } from './judge-probe.ts'
import { judgeOrder, judgeRetries } from './judge-timing.ts'
import { paidOnly, probes, unprobed, type CalibrationProbe, type PaymentTargets } from './probes.ts'
import { readEnvelope } from '../../domain/api/read-answer.ts'
import {
  runProbe,
  type CalibratedService,
  type Payments,
  type ProbeExchange,
  type ServicePayments,
} from './run-probe.ts'

/** A sandbox that answers the probes with any behaviors. */
export interface LocalSandbox extends CalibratedService {
  readonly payments: Payments
  setBehaviors(behaviors: BehaviorChoices): Promise<void>
}

export interface CalibrationInput {
  readonly service: CalibratedService & { readonly payments?: ServicePayments | undefined }
  readonly sandbox: LocalSandbox
  readonly probes: readonly CalibrationProbe[]
  /** The behaviors that the sandbox is set to. */
  readonly current: BehaviorChoices
  /** Today, as YYYY-MM-DD. */
  readonly today: string
  readonly signal?: AbortSignal
  readonly onProbe?: (probe: CalibrationProbe) => void
}

/** A difference, with both answers. */
export interface FoundDifference extends CalibrationDifference {
  readonly text: string
  readonly exchange: ProbeExchange
  readonly expectedExchange: ProbeExchange
}

export interface Calibration {
  readonly exchanges: readonly ProbeExchange[]
  /** Every open point that this run is about. */
  readonly points: Readonly<Partial<Record<AssumptionName, CalibrationPoint>>>
  readonly differences: readonly FoundDifference[]
  /** Requests that got no complete answer. */
  readonly failures: readonly ProbeExchange[]
  /** Probes with requests that were not sent, or that got no complete answer. */
  readonly unfinished: ReadonlySet<CalibrationProbe>
  /** How many exchanges were compared. */
  readonly judged: number
}

/** Runs probes against the service, and finds out which behaviors of the sandbox give the same answers. */
export async function calibrate(input: CalibrationInput): Promise<Calibration> {
  const { service, sandbox, current, today, signal, onProbe } = input
  const points = new Map<AssumptionName, CalibrationPoint>()
  const exchanges: ProbeExchange[] = []
  const differences: FoundDifference[] = []
  let behaviors: BehaviorChoices = current
  let linkRefusal: string | undefined

  for (const probe of input.probes) {
    if (signal?.aborted) break
    if (probe.needs === 'recipient' && service.recipient === undefined) continue
    if (probe.needs === 'payment' && service.payments === undefined) continue
    if ((probe.needs === 'link' || probe.needs === 'payment') && linkRefusal !== undefined) {
      leaveUndecided(probe, linkRefusal)
      continue
    }
    onProbe?.(probe)
    const targets = probe.needs === 'payment' ? service.payments?.targets() : undefined
    const found = await runProbe(probe, service, targets)
    exchanges.push(...found)
    if (probe === probes[0]) linkRefusal = whyNoLink(found)
    const open = (probe.behaviors ?? []).filter((name) => points.get(name)?.verdict !== 'confirmed')
    const verdict = judgeProbe(found, await candidatesOf(probe, { names: open, sandbox, behaviors, targets }))
    behaviors = { ...behaviors, ...verdict.nearest.behaviors }
    for (const name of open) points.set(name, behaviorPoint(name, verdict, found, today))
    const timing = probe.timing && service.payments?.timing()
    if (timing) {
      points.set('order', judgeOrder(timing, today))
      points.set('retries', judgeRetries(timing, today))
    }
    const named = verdict.differences.map((difference) => withPoint(probe, difference))
    differences.push(...named)
    for (const [name, places] of assumptionsOf(probe)) {
      const point = assumptionPoint(name, places, { found, named, points, today })
      points.set(name, combine(points.get(name), point))
    }
  }
  const limited = exchanges.find(({ answer }) => answer?.status === 429)
  return {
    exchanges,
    points: inOrder(points, limited),
    differences: unique(differences),
    failures: exchanges.filter(({ answer, startedAt }) => answer === null && startedAt !== null),
    unfinished: new Set([
      ...input.probes.filter((probe) => !exchanges.some((exchange) => exchange.probe === probe)),
      ...exchanges
        .filter(({ step, request, answer }) => (request !== null || step.awaits) && answer === null)
        .map(({ probe }) => probe),
    ]),
    judged: exchanges.filter(({ answer }) => answer !== null).length,
  }

  function leaveUndecided(probe: CalibrationProbe, reason: string): void {
    const names = pointsOf(probe)
    for (const name of names) points.set(name, points.get(name) ?? { verdict: 'undecided', reason })
  }
}

/** The open points that a probe is about. */
export const pointsOf = ({
  behaviors = [],
  timing = [],
  assumptions = {},
}: CalibrationProbe): AssumptionName[] => [
  ...behaviors,
  ...timing,
  ...(Object.keys(assumptions) as AssumptionName[]),
]

export const assumptionsOf = (probe: CalibrationProbe) =>
  Object.entries(probe.assumptions ?? {}) as [AssumptionName, readonly string[]][]

/** Why the service created no link. In that case, a refusal of a similar link decides nothing. */
function whyNoLink(exchanges: readonly ProbeExchange[]): string | undefined {
  const [{ answer, failure }] = exchanges as [ProbeExchange]
  if (!answer) return `No plain link could be created: ${failure}.`
  const envelope = readEnvelope(answer)
  return envelope?.ResponseCode === 0
    ? `The service refuses a plain link: ${JSON.stringify(envelope.ResponseMsg)}.`
    : undefined
}

/** The sandbox's answers to a probe with every combination of some behaviors. The current one comes first. */
async function candidatesOf(
  probe: CalibrationProbe,
  {
    names,
    sandbox,
    behaviors,
    targets,
  }: {
    readonly names: readonly BehaviorName[]
    readonly sandbox: LocalSandbox
    readonly behaviors: BehaviorChoices
    readonly targets: PaymentTargets | undefined
  },
): Promise<[Candidate, ...Candidate[]]> {
  const candidates: Candidate[] = []
  for (const chosen of combinations(names, behaviors)) {
    await sandbox.setBehaviors({ ...behaviors, ...chosen })
    candidates.push({
      behaviors: chosen,
      exchanges: await runProbe(probe, sandbox, targets && unreachable(targets)),
    })
  }
  return candidates as [Candidate, ...Candidate[]]
}

/** Addresses of the same form at a host that does not exist, so that the sandbox sends nothing to the real ones. */
const unreachable = ({ callback, webhook }: PaymentTargets): PaymentTargets => ({
  callback: withUnknownHost(callback),
  webhook: webhook && withUnknownHost(webhook),
})

const withUnknownHost = (url: string): string => url.replace(/\/\/[^/]+/, '//calibrate.invalid')

function combinations(names: readonly BehaviorName[], current: BehaviorChoices): BehaviorChoices[] {
  const [name, ...rest] = names
  if (name === undefined) return [{}]
  const first = current[name] ?? defaultOption(name)
  const options = [first, ...optionNames(name).filter((option) => option !== first)]
  return options.flatMap((option) =>
    combinations(rest, current).map((other) => ({ [name]: option, ...other })),
  )
}

const differingNames = (one: BehaviorChoices, other: BehaviorChoices): string[] =>
  (Object.keys(one) as BehaviorName[]).filter((name) => one[name] !== other[name])

export function behaviorPoint(
  name: BehaviorName,
  { possible, nearest, deciding, fitsNone }: ProbeVerdict,
  exchanges: readonly ProbeExchange[],
  on: string,
): CalibrationPoint {
  const values = [...new Set(possible.map(({ behaviors }) => behaviors[name]!))]
  if (values.length === 1) {
    const [value] = values as [string]
    // Another option of this behavior alone, so that answers about other behaviors do not count.
    const isOtherOption = ({ behaviors }: Candidate): boolean =>
      differingNames(behaviors, nearest.behaviors).join() === name
    const requests = deciding
      .filter(({ excluded }) => excluded.some(isOtherOption))
      .map(({ request }) => request)
    return { verdict: 'confirmed', value, exchanges: new Set(requests).size, on }
  }
  const failed = exchanges.find(({ answer }) => answer === null)
  const reason =
    values.length === 0
      ? 'The answers contradict each other.'
      : failed
        ? `${failed.step.title}: ${failed.failure}.`
        : fitsNone
          ? 'Some answers fit no option.'
          : 'The answers fit more than one option.'
  return { verdict: 'undecided', reason }
}

/** Names the open point that a difference is about, if there is one. */
function withPoint(probe: CalibrationProbe, difference: ProbeDifference): FoundDifference {
  const { place, exchange } = difference
  const own = assumptionsOf(probe).find(([, places]) => includesPlace(places, exchange.step.name, place))
  return toFoundDifference(probe, difference, own?.[0] ?? null)
}

/**
 * The open point of a difference is usually `own`. If only the text of an undocumented error differs, it is
 * `ownWording`.
 */
export function toFoundDifference(
  probe: CalibrationProbe,
  { place, kind, expected, found, text, exchange, expectedExchange }: ProbeDifference,
  own: AssumptionName | null,
): FoundDifference {
  const { step } = exchange
  const assumed = findHeader(expectedExchange.answer?.headers ?? [], 'sandbox-assumed') ?? ''
  const isOwnWording = kind === 'text' && assumed.split(', ').includes('ownWording')
  return {
    probe: probe.name,
    request: step.name,
    operation: step.operation,
    place,
    kind,
    sandbox: expected,
    service: found,
    point: isOwnWording ? 'ownWording' : own,
    documented: !isOwnWording && isDocumented(step.operation, place),
    text,
    exchange,
    expectedExchange,
  }
}

const includesPlace = (places: readonly string[], request: string, place: string): boolean =>
  places.some((one) => one === place || one === `${request}:${place}`)

/** What a probe shows about a fixed assumption. */
function assumptionPoint(
  name: AssumptionName,
  places: readonly string[],
  {
    found,
    named,
    points,
    today,
  }: {
    readonly found: readonly ProbeExchange[]
    readonly named: readonly FoundDifference[]
    readonly points: ReadonlyMap<AssumptionName, CalibrationPoint>
    readonly today: string
  },
): CalibrationPoint {
  const requests = places.map((place) => /^(.*?):/.exec(place)?.[1])
  const about = found.filter(({ step }) => requests.some((one) => one === undefined || one === step.name))
  const missing = about.find(({ answer }) => answer === null)
  const different = new Set(named.filter(({ point }) => point === name).map(({ request }) => request))
  if (different.size > 0) return { verdict: 'differs', exchanges: different.size, on: today }
  if (missing) return { verdict: 'undecided', reason: `${missing.step.title}: ${missing.failure}.` }
  // The service may refuse an unknown pay_id like an unpaid link, so the answer proves nothing until the right
  // pay_id is known.
  if (name === 'refundUnpaid' && points.get('payId')?.verdict !== 'confirmed') {
    return { verdict: 'undecided', reason: 'It needs the pay_id of the link, which is undecided.' }
  }
  return { verdict: 'confirmed', exchanges: about.length, on: today }
}

/** Several probes can show the same assumption. One that differs or is incomplete wins. */
function combine(known: CalibrationPoint | undefined, next: CalibrationPoint): CalibrationPoint {
  if (known === undefined || known.verdict === next.verdict) {
    return known !== undefined && 'exchanges' in known && 'exchanges' in next
      ? { ...next, exchanges: known.exchanges + next.exchanges }
      : next
  }
  const order = ['differs', 'undecided', 'confirmed']
  return order.indexOf(known.verdict) < order.indexOf(next.verdict) ? known : next
}

/** The points in the order of their table, with a reason for those that no probe decides. */
export function inOrder(
  points: ReadonlyMap<AssumptionName, CalibrationPoint>,
  limited: ProbeExchange | undefined,
  otherwise?: string,
): Calibration['points'] {
  const reasons: Readonly<Partial<Record<AssumptionName, string>>> = {
    ...unprobed,
    ...(otherwise === undefined && paidOnly),
    ...(limited && {
      rateLimit: `${limited.step.title} was answered with HTTP 429: the service limits calls.`,
    }),
  }
  const names = Object.keys(openPoints) as AssumptionName[]
  return Object.fromEntries(
    names.flatMap((name) => {
      const reason = reasons[name] ?? otherwise
      const point = points.get(name) ?? (reason && { verdict: 'undecided', reason })
      return point ? [[name, point]] : []
    }),
  )
}

/** Each difference once, with the first exchange that shows it. */
export function unique(differences: readonly FoundDifference[]): FoundDifference[] {
  const known = new Map<string, FoundDifference>()
  for (const difference of differences) {
    const { operation, place, kind, sandbox, service, point } = difference
    const key = JSON.stringify([operation, place, kind, sandbox, service, point])
    if (!known.has(key)) known.set(key, difference)
  }
  return [...known.values()]
}

/** The behaviors that are configured differently from those of the service. */
export const differingBehaviors = (points: Calibration['points'], current: BehaviorChoices): BehaviorName[] =>
  (Object.keys(points) as AssumptionName[]).filter(isBehaviorName).filter((name) => {
    const point = points[name]
    return point?.verdict === 'confirmed' && point.value !== (current[name] ?? defaultOption(name))
  })
