import {
  defaultOption,
  isBehaviorName,
  optionNames,
  type BehaviorChoices,
} from '../../domain/behaviors/behavior.ts'
import { openPoints, type AssumptionName, type BehaviorName } from '../../domain/behaviors/open-points.ts'
import { findHeader } from '../../domain/http/exchange.ts'
import type { CalibrationDifference, CalibrationPoint } from '../../contract/schemas/calibration.ts'
import { evaluateProbe, type Candidate, type ProbeDifference, type ProbeVerdict } from './evaluate-probe.ts'
import { evaluateSequence, evaluateRetries } from './evaluate-timing.ts'
import {
  CONTROL,
  paidOnly,
  unprobed,
  type CalibrationProbe,
  type PaymentTargets,
  type ProbeRequest,
  type ShownPlace,
} from './probes.ts'
import { allCanHave } from '../../domain/api/compare-answers.ts'
import { payIdIn, readEnvelope, responseCode } from '../../domain/api/read-answer.ts'
import {
  runProbe,
  type CalibratedService,
  type ProbePayments,
  type ProbeExchange,
  type ServicePayments,
} from './run-probe.ts'

/** A sandbox that can answer the probes with any behaviors. */
export interface LocalSandbox extends CalibratedService {
  readonly payments: ProbePayments
  setBehaviors(behaviors: BehaviorChoices): Promise<void>
}

interface CalibrationInput {
  readonly service: CalibratedService & {
    readonly payments?: ServicePayments | undefined
    /** Why this number of further calls cannot be sent. `undefined` if they can be sent. */
    readonly whyNoMore?: (calls: number) => string | undefined
  }
  readonly sandbox: LocalSandbox
  readonly probes: readonly CalibrationProbe[]
  /** The current behaviors of the sandbox. */
  readonly current: BehaviorChoices
  /** Today, as YYYY-MM-DD. */
  readonly today: string
  readonly signal?: AbortSignal
  readonly onProbe?: (probe: CalibrationProbe) => void
}

/** A difference, with both responses. */
export interface FoundDifference extends CalibrationDifference {
  readonly text: string
  readonly exchange: ProbeExchange
  readonly expectedExchange: ProbeExchange
}

export interface Calibration {
  readonly exchanges: readonly ProbeExchange[]
  /** The open points of this run. */
  readonly points: Readonly<Partial<Record<AssumptionName, CalibrationPoint>>>
  readonly differences: readonly FoundDifference[]
  /** Requests that the service did not answer. */
  readonly failures: readonly ProbeExchange[]
  /** Probes with a request that was not sent or not answered, or without a control call after them. */
  readonly unfinished: ReadonlySet<CalibrationProbe>
  /** The exchanges that were compared. */
  readonly evaluated: readonly ProbeExchange[]
  /** Why the run stopped after a failed control call. `null` if it did not stop. */
  readonly stopped: string | null
  /** For each recorded call that could not be compared, the reason. */
  readonly comparisonSkipped?: readonly string[]
}

/** Runs probes against the service, and finds out which behaviors make the sandbox give the same responses. */
export async function runCalibration(input: CalibrationInput): Promise<Calibration> {
  const { service, sandbox, current, today, signal, onProbe } = input
  const points = new Map<AssumptionName, CalibrationPoint>()
  const exchanges: ProbeExchange[] = []
  const differences: FoundDifference[] = []
  const evaluated: ProbeExchange[] = []
  const uncounted = new Set<CalibrationProbe>()
  let behaviors: BehaviorChoices = current
  let stopped: string | null = null
  /** Why no more requests are sent. */
  let end = signal?.aborted ? undefined : await control()

  for (const probe of input.probes) {
    if (signal?.aborted) break
    if (probe.needs === 'recipient' && service.recipient === undefined) continue
    if (probe.needs === 'payment' && service.payments === undefined) continue
    end ??= service.whyNoMore?.(callsOf(probe, service) + 1)
    if (end !== undefined) {
      exchanges.push(...(await runProbe(probe, withoutCalls(service, end))))
      leaveUndecided(probe, end)
      continue
    }
    onProbe?.(probe)
    const targets = probe.needs === 'payment' ? service.payments?.targets() : undefined
    const found = await runProbe(probe, service, targets)
    exchanges.push(...found)
    end = await control()
    if (end !== undefined) {
      uncounted.add(probe)
      leaveUndecided(probe, end)
      continue
    }
    await evaluate(probe, found, targets)
  }
  const limited = exchanges.find(({ instead }) => instead?.status === 429)
  return {
    exchanges,
    points: sortPoints(points, limited),
    differences: unique(differences),
    failures: exchanges.filter(
      ({ probe, answer, startedAt }) => probe !== CONTROL && answer === null && startedAt !== null,
    ),
    unfinished: new Set([...uncounted, ...unfinishedProbes(input.probes, exchanges)]),
    evaluated,
    stopped,
  }

  /** Makes a control call. Returns why the run must stop. `undefined` if the service works. */
  async function control(): Promise<string | undefined> {
    const [exchange] = (await runProbe(CONTROL, service)) as [ProbeExchange]
    exchanges.push(exchange)
    const { answer, failure, startedAt } = exchange
    const isAccepted = responseCode(answer ?? undefined) === 1
    if (isAccepted && payIdIn(answer ?? undefined) !== undefined) return undefined
    if (startedAt === null || signal?.aborted) return failure ?? 'the run was interrupted'
    if (isAccepted) return (stopped = 'the service accepts a plain link, but its answer names no link')
    return (stopped = answer
      ? `the service refuses a plain link: ${JSON.stringify(readEnvelope(answer)?.ResponseMsg)}`
      : `the control call failed: ${failure}`)
  }

  /** Finds out which options explain the responses to a probe, and what remains different. */
  async function evaluate(
    probe: CalibrationProbe,
    found: readonly ProbeExchange[],
    targets: PaymentTargets | undefined,
  ): Promise<void> {
    evaluated.push(...found.filter(({ answer }) => answer !== null))
    const open = (probe.behaviors ?? []).filter((name) => points.get(name)?.verdict !== 'confirmed')
    const verdict = evaluateProbe(
      found,
      await candidatesOf(probe, { names: open, sandbox, behaviors, targets }),
    )
    behaviors = { ...behaviors, ...verdict.nearest.behaviors }
    for (const name of open) points.set(name, behaviorPoint(name, verdict, found, today))
    const timing = probe.timing && service.payments?.timing()
    if (timing) {
      points.set('order', evaluateSequence(timing, today))
      points.set('retries', evaluateRetries(timing, today))
    }
    const named = verdict.differences.map((difference) => withPoint(probe, difference))
    for (const difference of named) differences.push(difference)
    for (const [name, places] of assumptionsOf(probe)) {
      const expected = verdict.nearest.exchanges
      const point = assumptionPoint(name, places, { found, expected, named, points, today })
      points.set(name, combine(points.get(name), point))
    }
  }

  function leaveUndecided(probe: CalibrationProbe, why: string): void {
    const reason = `${why[0]!.toUpperCase()}${why.slice(1)}.`
    for (const name of pointsOf(probe)) points.set(name, points.get(name) ?? { verdict: 'undecided', reason })
  }
}

/** The probes that were not run, or have a request that was not sent or not answered. */
const unfinishedProbes = (
  probes: readonly CalibrationProbe[],
  exchanges: readonly ProbeExchange[],
): CalibrationProbe[] => [
  ...probes.filter((probe) => !exchanges.some((exchange) => exchange.probe === probe)),
  ...exchanges
    .filter(({ step, request, answer }) => (request !== null || step.awaits) && answer === null)
    .map(({ probe }) => probe),
]

/** The requests of a probe that do not depend on earlier responses. */
export const requestsOf = (probe: CalibrationProbe, recipient = ''): readonly ProbeRequest[] =>
  probe.requests({ recipient, answers: new Map() })

const callsOf = (probe: CalibrationProbe, { recipient }: CalibratedService): number =>
  requestsOf(probe, recipient).filter(({ awaits }) => awaits === undefined).length

const withoutCalls = ({ apiKey, recipient }: CalibratedService, failure: string): CalibratedService => ({
  apiKey,
  recipient,
  send: () => Promise.resolve({ failure, startedAt: null, ms: 0 }),
})

/** The open points that a probe tests. */
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
  Object.entries(probe.assumptions ?? {}) as [AssumptionName, readonly ShownPlace[]][]

/** The sandbox's responses to a probe, for every combination of several behaviors. The current combination comes first. */
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

/** Similar URLs at a host that does not exist, so that the sandbox sends nothing to the real ones. */
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
    // Compares only candidates that are equal in all other behaviors, so that responses about other behaviors do not count.
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
          ? 'Some answers match no option.'
          : `The answers match more than one option: ${values.join(', ')}.`
  return { verdict: 'undecided', reason }
}

/** Adds the open point that a difference is about, if there is one. */
function withPoint(probe: CalibrationProbe, difference: ProbeDifference): FoundDifference {
  const { place, exchange } = difference
  const own = assumptionsOf(probe).find(([, places]) => includesPlace(places, exchange.step.name, place))
  return toFoundDifference(probe, difference, own?.[0] ?? null)
}

/** The open point of a difference, usually `own`. If only the text of an undocumented error differs, it is `ownWording`. */
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
    documented: !isOwnWording && isShownByReference(step.operation, place),
    text,
    exchange,
    expectedExchange,
  }
}

const includesPlace = (places: readonly ShownPlace[], request: string, place: string): boolean =>
  places.some((one) => one.place === place && isAbout(one, request))

const isAbout = (place: ShownPlace, request: string): boolean =>
  place.request === undefined || place.request === request

/** The result of a probe for a fixed assumption. */
function assumptionPoint(
  name: AssumptionName,
  places: readonly ShownPlace[],
  {
    found,
    expected,
    named,
    points,
    today,
  }: {
    readonly found: readonly ProbeExchange[]
    readonly expected: readonly ProbeExchange[]
    readonly named: readonly FoundDifference[]
    readonly points: ReadonlyMap<AssumptionName, CalibrationPoint>
    readonly today: string
  },
): CalibrationPoint {
  const about = found.filter(({ step }) => places.some((place) => isAbout(place, step.name)))
  const missing = about.find(({ answer }) => answer === null)
  const different = new Set(named.filter(({ point }) => point === name).map(({ request }) => request))
  if (different.size > 0) return { verdict: 'differs', exchanges: different.size, on: today }
  if (missing) return { verdict: 'undecided', reason: `${missing.step.title}: ${missing.failure}.` }
  // The service may respond to an unknown pay_id as it does to an unpaid link. The response proves nothing until the right pay_id
  // is known.
  if (name === 'refundUnpaid' && points.get('payId')?.verdict !== 'confirmed') {
    return { verdict: 'undecided', reason: 'It needs the pay_id of the link, which is undecided.' }
  }
  const shown = found.map((exchange, index) => shownPlaces(places, exchange, expected[index]))
  const hidden = places.find((place) => !shown.some((one) => one.includes(place)))
  if (hidden !== undefined) {
    return { verdict: 'undecided', reason: `No answer shows ${hidden.place}.` }
  }
  return { verdict: 'confirmed', exchanges: shown.filter((one) => one.length > 0).length, on: today }
}

/** The places of an exchange that can be compared. */
function shownPlaces(
  places: readonly ShownPlace[],
  { step, answer }: ProbeExchange,
  expected: ProbeExchange | undefined,
): ShownPlace[] {
  if (!answer || !expected?.answer) return []
  const both = [answer, expected.answer] as const
  return places.filter((place) => isAbout(place, step.name) && allCanHave(place.place, both))
}

/** Combines the results of several probes for one assumption. A different or incomplete result takes precedence. */
function combine(previous: CalibrationPoint | undefined, next: CalibrationPoint): CalibrationPoint {
  if (previous === undefined || previous.verdict === next.verdict) {
    return previous !== undefined && 'exchanges' in previous && 'exchanges' in next
      ? { ...next, exchanges: previous.exchanges + next.exchanges }
      : next
  }
  const order = ['differs', 'undecided', 'confirmed']
  return order.indexOf(previous.verdict) < order.indexOf(next.verdict) ? previous : next
}

/** The points in the sequence of their table. For a point that no probe decides, adds the reason. */
export function sortPoints(
  points: ReadonlyMap<AssumptionName, CalibrationPoint>,
  limited: ProbeExchange | undefined,
  reasonIfUndecided?: string,
): Calibration['points'] {
  const reasons: Readonly<Partial<Record<AssumptionName, string>>> = {
    ...unprobed,
    ...(reasonIfUndecided === undefined && paidOnly),
    ...(limited && {
      rateLimit: `${limited.step.title} was answered with HTTP 429: the service limits calls.`,
    }),
  }
  const names = Object.keys(openPoints) as AssumptionName[]
  return Object.fromEntries(
    names.flatMap((name) => {
      const reason = reasons[name] ?? reasonIfUndecided
      const point = points.get(name) ?? (reason && { verdict: 'undecided', reason })
      return point ? [[name, point]] : []
    }),
  )
}

/** Each difference once, with the first exchange in which it occurs. */
export function unique(differences: readonly FoundDifference[]): FoundDifference[] {
  const known = new Map<string, FoundDifference>()
  for (const difference of differences) {
    const { operation, place, kind, sandbox, service, point } = difference
    const key = JSON.stringify([operation, place, kind, sandbox, service, point])
    if (!known.has(key)) known.set(key, difference)
  }
  return [...known.values()]
}

/** The behaviors whose values differ between the configuration and the service. */
export const differingBehaviors = (points: Calibration['points'], current: BehaviorChoices): BehaviorName[] =>
  (Object.keys(points) as AssumptionName[]).filter(isBehaviorName).filter((name) => {
    const point = points[name]
    return point?.verdict === 'confirmed' && point.value !== (current[name] ?? defaultOption(name))
  })

const ENVELOPE = new Set(['ResponseCode', 'ResponseMsg', 'Result', 'ServerTime'])

/** The operations whose `data` the reference shows. */
const SHOWN_DATA = new Set(['createSplitLink', 'getTaxInvoiceList'])

/**
 * Whether the reference shows this place in the response of an operation. If so, a service that responds differently contradicts
 * the reference. The reference shows no HTTP status, no header, and no response of createLink and sendWebhookViaPayId.
 */
const isShownByReference = (operation: string, place: string): boolean =>
  ENVELOPE.has(place) ||
  place === 'content-type' ||
  place === 'body' ||
  operation === 'redirect' ||
  operation === 'webhook' ||
  (SHOWN_DATA.has(operation) && /^(data|totalRecords)\b/.test(place))
