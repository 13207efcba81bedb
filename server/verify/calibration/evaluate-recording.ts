import { defaultOption, optionNames, type BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import type { AssumptionName, BehaviorName } from '../../domain/behaviors/open-points.ts'
import { findHeader, type Exchange } from '../../domain/http/exchange.ts'
import type { CalibrationPoint } from '../../contract/schemas/calibration.ts'
import {
  assumptionsOf,
  behaviorPoint,
  sortPoints,
  toFoundDifference,
  unique,
  type Calibration,
  type FoundDifference,
} from './calibrate.ts'
import { isSameTrait, allCanHave, limitDifferences } from '../../domain/api/compare-answers.ts'
import { compareExchange } from '../../domain/api/compare-exchange.ts'
import { describeAnswer, type Answer } from '../../domain/api/describe-answer.ts'
import { evaluateProbe, MAX_DIFFERENCES, type Candidate } from './evaluate-probe.ts'
import { probes, type CalibrationProbe, type ProbeRequest } from './probes.ts'
import { readAnswer, type ProbeExchange } from './run-probe.ts'

/** A recorded call, with the sandbox's own response. */
export interface RecordedCall {
  readonly operation: string
  /**
   * In `exchange`, `response` is `null` if the service gave no complete response, and `sandboxResponse` is missing if the two
   * cannot be compared.
   */
  readonly exchange: Exchange
  readonly startedAt: string
  readonly ms: number
  /** Why the responses cannot be compared, like `The answer depends on a payment that only the real service knows.` */
  readonly comparisonSkipped?: string | undefined
}

interface RecordingInput {
  /** Sends the recorded calls to a sandbox with these behaviors, always in the same sequence. */
  readonly replay: (behaviors: BehaviorChoices) => Promise<readonly RecordedCall[]>
  readonly current: BehaviorChoices
  readonly today: string
}

/** Placeholder probe for recorded calls. */
export const RECORDED: CalibrationProbe = { name: 'recorded', title: 'recorded calls', requests: () => [] }

/** Recorded calls depend on these assumptions, but cannot prove them. */
const NOT_SHOWN = new Set<AssumptionName>([
  'checkOrder',
  'amountDecimals',
  'resendAnswer',
  'refundUnpaid',
  'fullRefundAmount',
])

/** Leaves out what only a probe with a payment can decide. */
const byCalls = probes.filter(({ needs }) => needs !== 'payment')

/**
 * Finds out from recorded calls which behaviors the service has. The calls were not chosen for this, so they prove less than
 * probes: a refusal counts only if the sandbox would refuse with the same message.
 */
export async function evaluateRecording({ replay, current, today }: RecordingInput): Promise<Calibration> {
  const points = new Map<AssumptionName, CalibrationPoint>()
  let behaviors = current
  let calls = await replay(behaviors)
  const exchanges = calls.map(toServiceExchange)

  for (const name of byCalls.flatMap((probe) => probe.behaviors ?? [])) {
    const replays = new Map<string, readonly RecordedCall[]>()
    for (const option of currentOptionFirst(name, behaviors)) {
      const isCurrent = replays.size === 0
      replays.set(option, isCurrent ? calls : await replay({ ...behaviors, [name]: option }))
    }
    const candidates = [...replays].map(([option, replayed]): Candidate => ({
      behaviors: { [name]: option },
      exchanges: replayed.map(toSandboxExchange),
    })) as [Candidate, ...Candidate[]]
    const usable = exchanges.map((exchange, index) =>
      isUsable(name, exchange, index, candidates) ? exchange : { ...exchange, answer: null },
    )
    const verdict = evaluateProbe(usable, candidates)
    const point = behaviorPoint(name, verdict, [], today)
    points.set(
      name,
      point.verdict === 'undecided' && !verdict.fitsNone && verdict.possible.length > 1
        ? { verdict: 'undecided', reason: 'No recorded call shows it.' }
        : point,
    )
    behaviors = { ...behaviors, ...verdict.nearest.behaviors }
    calls = replays.get(behaviors[name] ?? defaultOption(name)) ?? calls
  }

  const differences = calls.flatMap((call, index) => differencesOf(call, exchanges[index]!))
  for (const [name, point] of assumptionPoints(calls, exchanges, differences, today)) points.set(name, point)
  return {
    exchanges,
    points: sortPoints(
      points,
      exchanges.find(({ instead }) => instead?.status === 429),
      'No recorded call shows it.',
    ),
    differences: unique(differences),
    failures: exchanges.filter(({ answer }, index) => answer === null && !isBodyOmitted(calls[index]!)),
    unfinished: new Set(probes),
    evaluated: exchanges.filter(
      ({ answer }, index) => answer !== null && calls[index]!.exchange.sandboxResponse,
    ),
    stopped: null,
    comparisonSkipped: calls.flatMap(({ comparisonSkipped }, index) =>
      (exchanges[index]!.answer || isBodyOmitted(calls[index]!)) && comparisonSkipped !== undefined
        ? [comparisonSkipped]
        : [],
    ),
  }
}

function currentOptionFirst(name: BehaviorName, behaviors: BehaviorChoices): string[] {
  const first = behaviors[name] ?? defaultOption(name)
  return [first, ...optionNames(name).filter((option) => option !== first)]
}

const stepOf = ({ operation }: RecordedCall, index: number): ProbeRequest => ({
  name: `call-${index + 1}`,
  title: `recorded call ${index + 1}, ${operation}`,
  operation,
  body: undefined,
})

/** Whether the body of a response was not recorded. Such a response says nothing about the service. */
const isBodyOmitted = ({ exchange }: RecordedCall): boolean => exchange.response?.body.isOmitted === true

function toServiceExchange(call: RecordedCall, index: number): ProbeExchange {
  const { request, response } = call.exchange
  const { pathname, search } = new URL(request.url)
  return {
    probe: RECORDED,
    step: stepOf(call, index),
    request: { ...request, path: pathname + search, body: request.body.content },
    ...(response && !isBodyOmitted(call)
      ? readAnswer(response)
      : { answer: null, failure: 'the recording has no complete answer' }),
    startedAt: call.startedAt,
    ms: call.ms,
  }
}

const toSandboxExchange = (call: RecordedCall, index: number): ProbeExchange => ({
  ...toServiceExchange(call, index),
  answer: call.exchange.sandboxResponse ?? null,
})

/** Whether a recorded response can say anything about a behavior. */
function isUsable(
  name: BehaviorName,
  { answer }: ProbeExchange,
  index: number,
  candidates: readonly Candidate[],
): boolean {
  const expected = candidates.map(({ exchanges }) => exchanges[index]?.answer ?? null)
  if (answer === null || expected.includes(null)) return false
  // Other behaviors may decide whether a call succeeds. So the status counts only if both responses agree about that.
  const place = name === 'errorStatus' ? 'ResponseCode' : 'ResponseMsg'
  const trait = describeAnswer(answer).get(place)
  return expected.some((one) => isSameTrait(describeAnswer(one!).get(place), trait))
}

/** The differences of a call, each with its open point. */
function differencesOf(
  { operation, exchange: { request, sandboxResponse } }: RecordedCall,
  exchange: ProbeExchange,
): FoundDifference[] {
  if (exchange.answer === null || sandboxResponse === undefined) return []
  const comparison = compareExchange(operation, { request, response: exchange.answer, sandboxResponse })
  if ('comparisonSkipped' in comparison) return []
  const expectedExchange = { ...exchange, answer: sandboxResponse }
  const used = assumedIn(sandboxResponse)
  return limitDifferences(comparison.differences, MAX_DIFFERENCES).map((difference) => {
    const known = probes
      .flatMap(assumptionsOf)
      .find(([name, places]) => used.includes(name) && places.some(({ place }) => place === difference.place))
    return toFoundDifference(RECORDED, { ...difference, exchange, expectedExchange }, known?.[0] ?? null)
  })
}

const assumedIn = ({ headers }: Answer): string[] =>
  (findHeader(headers, 'sandbox-assumed') ?? '').split(', ')

/** An assumption holds if the sandbox used it and the responses are equal. */
function assumptionPoints(
  calls: readonly RecordedCall[],
  found: readonly ProbeExchange[],
  differences: readonly FoundDifference[],
  on: string,
): Map<AssumptionName, CalibrationPoint> {
  const probed = probes.flatMap(assumptionsOf)
  return new Map(
    [...new Set(probed.map(([name]) => name))].flatMap((name): [AssumptionName, CalibrationPoint][] => {
      const places = probed.flatMap(([other, own]) => (other === name ? own : []))
      const different = differences.filter((difference) => difference.point === name).length
      if (different > 0) return [[name, { verdict: 'differs', exchanges: different, on }]]
      const equal = calls.filter(({ exchange: { sandboxResponse } }, index) => {
        const { answer } = found[index]!
        if (answer === null || sandboxResponse === undefined) return false
        if (differences.some(({ exchange }) => exchange === found[index])) return false
        const isUsed = assumedIn(sandboxResponse).includes(name)
        return isUsed && places.some(({ place }) => allCanHave(place, [answer, sandboxResponse]))
      }).length
      return equal > 0 && !NOT_SHOWN.has(name) ? [[name, { verdict: 'confirmed', exchanges: equal, on }]] : []
    }),
  )
}
