import { type Exchange, type Headers } from '../../domain/http/exchange.ts'
import type { Answer } from '../../domain/api/describe-answer.ts'
import {
  describeNotification,
  type NotificationKind,
  type NotificationRequest,
} from './describe-notification.ts'
import type { PaymentTiming } from './evaluate-timing.ts'
import { UNKNOWN_KEY, type CalibrationProbe, type PaymentTargets, type ProbeRequest } from './probes.ts'
import { readData, whatCameInstead } from '../../domain/api/read-answer.ts'
import { whyNotRepeated } from './retry-after.ts'

/** A request as it is sent to a service. */
export interface ServiceRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

/** The response of a service, or why it is missing or incomplete. `startedAt` is `null` if the request was not sent. */
export type ServiceResult = ({ readonly answer: Answer } | { readonly failure: string }) & {
  readonly startedAt: string | null
  readonly ms: number
}

/** One service: the real one, or a sandbox in memory. */
export interface CalibratedService {
  readonly apiKey: string
  readonly recipient: string | undefined
  send(request: ServiceRequest): Promise<ServiceResult>
}

/** The notification that a service has sent after a payment, or why none was received. */
export type NotificationResult = (
  | {
      /** `null` if the service sends none. */
      readonly request: NotificationRequest | null
    }
  | { readonly failure: string }
) & {
  /** `null` if nothing waited for the notification. */
  readonly startedAt: string | null
  readonly ms: number
  /** All requests that were received, with the responses to them. */
  readonly received?: readonly Exchange[]
}

export interface PaidLink {
  readonly id: number
  readonly payLink: string
}

/** Pays the links of a service, and receives its notifications. */
export interface ProbePayments {
  /** Pays or cancels a link, and waits until the browser returns. */
  redirect(link: PaidLink, outcome: 'pay' | 'cancel'): Promise<NotificationResult>
  /** Waits for the webhook of the last link that was paid or cancelled. */
  webhook(outcome: 'pay' | 'cancel'): Promise<NotificationResult>
}

/** The payments of the real service. */
export interface ServicePayments extends ProbePayments {
  /** The addresses for the next link. */
  targets(): PaymentTargets
  /** When the notifications of the last payment arrived. `undefined` if nothing waited for a webhook. */
  timing(): PaymentTiming | undefined
}

/** A request of a probe with its result. */
export interface ProbeExchange {
  readonly probe: CalibrationProbe
  readonly step: ProbeRequest
  /** `null` if nothing was sent, or if an earlier response lacks a value that the request needs. */
  readonly request: ServiceRequest | null
  readonly answer: Answer | null
  /** Why there is no response. */
  readonly failure: string | null
  /** What arrived instead of the service's envelope. Such an answer proves nothing. */
  readonly instead?: Answer
  /** `null` if the request was not sent. */
  readonly startedAt: string | null
  readonly ms: number
  /** What the service sent instead of a response. */
  readonly received?: readonly Exchange[]
}

/** Sends the requests of a probe, one after another. */
export async function runProbe(
  probe: CalibrationProbe,
  service: CalibratedService & { readonly payments?: ProbePayments | undefined },
  targets?: PaymentTargets,
): Promise<ProbeExchange[]> {
  const { recipient, payments } = service
  const answers = new Map<string, Answer>()
  const exchanges: ProbeExchange[] = []
  for (let index = 0; ; index += 1) {
    // A body can contain a value of an earlier response.
    const step = probe.requests({ recipient, answers, targets })[index]
    if (step === undefined) return exchanges
    if (step.awaits && payments) {
      const exchange = await awaitNotification(probe, step, payments, answers.get('create'))
      if (exchange.answer) answers.set(step.name, exchange.answer)
      exchanges.push(exchange)
      continue
    }
    const unsent = { probe, step, request: null, answer: null, startedAt: null, ms: 0 }
    if (step.body === undefined) {
      exchanges.push({ ...unsent, failure: 'an earlier answer lacks what it needs' })
      continue
    }
    const request = toRequest(step, service)
    const { startedAt, ms, ...result } = await service.send(request)
    const read = 'answer' in result ? readAnswer(result.answer) : { answer: null, failure: result.failure }
    if (read.answer) answers.set(step.name, read.answer)
    exchanges.push({ probe, step, request, ...read, startedAt, ms })
  }
}

/** Only a response with the service's envelope says anything about the service. */
export function readAnswer(answer: Answer): Pick<ProbeExchange, 'answer' | 'failure' | 'instead'> {
  const came = whatCameInstead(answer)
  if (came === undefined) return { answer, failure: null }
  const what = answer.status === 429 ? `${came} (${whyNotRepeated(answer)})` : came
  return { answer: null, failure: `answered with ${what} instead of the service's envelope`, instead: answer }
}

async function awaitNotification(
  probe: CalibrationProbe,
  step: ProbeRequest,
  payments: ProbePayments,
  created: Answer | undefined,
): Promise<ProbeExchange> {
  const outcome = step.outcome ?? 'pay'
  const kind: NotificationKind = step.awaits!
  const { id, pay_link: payLink } = readData(created) ?? {}
  const unsent = { probe, step, request: null, answer: null, startedAt: null, ms: 0 }
  if (created === undefined || typeof id !== 'number' || typeof payLink !== 'string') {
    return { ...unsent, failure: 'the link was not created' }
  }
  const {
    startedAt,
    ms,
    received = [],
    ...result
  } = kind === 'redirect'
    ? await payments.redirect({ id, payLink }, outcome)
    : await payments.webhook(outcome)
  const answer = 'request' in result ? describeNotification(kind, result.request, created) : null
  const failure = 'failure' in result ? result.failure : null
  return { ...unsent, answer, failure, startedAt, ms, received }
}

function toRequest(
  { operation, method, token, contentType = 'application/json', body }: ProbeRequest,
  { apiKey }: CalibratedService,
): ServiceRequest {
  const key = token === 'none' ? undefined : token === 'unknown' ? UNKNOWN_KEY : apiKey
  return {
    method: method ?? 'POST',
    path: `/api/v2/${operation}`,
    headers: [
      ...(key === undefined ? [] : [['token', key] as const]),
      ...(method === 'GET' ? [] : [['content-type', contentType] as const]),
    ],
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}
