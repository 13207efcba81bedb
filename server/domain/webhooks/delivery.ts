import type { StatusText } from './webhook.ts'
import { type RetryWaits, parseRetryWaits } from '../behaviors/retry-waits.ts'
import type { Instant } from '../time/time.ts'
import type { FaultMark } from '../faults/fault.ts'
import type { BehaviorSettings } from '../behaviors/behavior.ts'
import type { BrowserRedirect } from './redirect.ts'
import { type Headers, type Exchange, textBody } from '../http/exchange.ts'
import type { deliveryFields, FieldsOf } from '../events/event-fields.ts'
import { type Subject, linkSubject } from '../links/subject.ts'

export type DeliveryState = 'pending' | 'underway' | 'delivered' | 'failed' | 'held'

/** Why there is a webhook: a `duplicate` is a fault's doing, a `forged` one no outcome's. */
export type DeliveryCause = 'outcome' | 'resend' | 'replay' | 'duplicate' | 'forged'

/** One webhook on its way to one target. */
export interface Delivery {
  readonly id: number
  readonly accountId: string
  readonly linkId: number
  readonly payId: number
  readonly status: StatusText
  readonly cause: DeliveryCause
  /** A path is on the sandbox itself. */
  readonly target: string
  readonly reason: string
  readonly contentType: string
  readonly body: string
  readonly state: DeliveryState
  readonly attempts: number
  /** The waits before further attempts, as they were in force when it was queued. */
  readonly retries: RetryWaits
  /** When a further attempt is due, by the sandbox's clock. `null` for the first, which is due at once. */
  readonly nextAttemptAt: Instant | null
  /** The host that the developer let it out to, past the egress guard. */
  readonly releasedTo: string | null
  /** It was underway when the process ended, or waited in a snapshot: the next attempt may be a repetition. */
  readonly possibleDuplicate: boolean
  /** The delivery whose bytes are sent again. */
  readonly replayOf: number | null
  /** What a fault has done to it, or what it was made by. Once it is to be tried again, that is over. */
  readonly fault: FaultMark | null
  /**
   * Which of redirect and webhook is still to come first. `redirect-first`: it is not to set out before the redirect
   * was answered. `webhook-first`: the redirect waits for its first attempt. `null` where neither waits any more.
   */
  readonly order: Exclude<BehaviorSettings['order'], 'together'> | null
  /** The redirect that waits for its first attempt, as the journal is to tell it. */
  readonly redirect: BrowserRedirect | null
  readonly createdAt: Instant
}

/** Names the delivery to a tunnel of this sandbox. */
export const DELIVERY_HEADER = 'sandbox-delivery'

/** Why a POST got no answer, or not all of it. */
export const attemptErrorCodes = [
  'connectionRefused',
  'hostUnknown',
  'hostUnreachable',
  'connectionClosed',
  'timeout',
  'answerIncomplete',
  'answerInvalid',
  'other',
] as const

export type AttemptErrorCode = (typeof attemptErrorCodes)[number]

/** What came of one POST: an answer, or the reason there is none. */
export interface Attempt {
  readonly status: number | null
  readonly error: string | null
  /** The kind of `error`. */
  readonly errorCode?: AttemptErrorCode
  /** Where it went instead of the target: the machine that the sandbox's container runs on. */
  readonly via?: string
  readonly ms: number
  readonly requestHeaders: Headers
  readonly responseHeaders: Headers
  readonly responseBody: Uint8Array
  /** How many bytes the answer had; more than `responseBody` where it was cut. */
  readonly responseSize: number
}

/** What a delivery sends, as long as nothing has been sent. */
export const intendedExchange = ({
  target,
  contentType,
  body,
}: Pick<Delivery, 'target' | 'contentType' | 'body'>): Exchange => ({
  request: { method: 'POST', url: target, headers: [['content-type', contentType]], body: textBody(body) },
  response: null,
})

/** Any 2xx will do, whatever comes after it. */
export const isSuccessful = (attempt: Pick<Attempt, 'status'>): boolean =>
  attempt.status !== null && attempt.status >= 200 && attempt.status < 300

/** Where a delivery stands once an attempt has been made. The first wait is for the second attempt. */
export function applyAttempt(delivery: Delivery, attempt: Attempt, at: Instant): Delivery {
  const counted = { ...delivery, attempts: delivery.attempts + 1, order: null }
  if (isSuccessful(attempt)) return { ...counted, state: 'delivered', nextAttemptAt: null }
  const wait = parseRetryWaits(delivery.retries)[delivery.attempts]
  if (wait === undefined) return { ...counted, state: 'failed', nextAttemptAt: null }
  return {
    ...counted,
    fault: null,
    state: 'pending',
    nextAttemptAt: new Date(Date.parse(at) + wait).toISOString(),
  }
}

/** Whether nothing more will happen to a delivery before the clock goes on. */
export const isSettled = (
  { state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>,
  now: Instant,
): boolean => (state === 'pending' ? nextAttemptAt !== null && nextAttemptAt > now : state !== 'underway')

/** A webhook, in every event of its delivery. */
export type DeliverySubject = Subject & FieldsOf<typeof deliveryFields>

export const deliverySubject = (delivery: Delivery): DeliverySubject => ({
  ...linkSubject({ accountId: delivery.accountId, id: delivery.linkId, payId: delivery.payId }),
  deliveryId: delivery.id,
  target: delivery.target,
  reason: delivery.reason,
  status: delivery.status,
  cause: delivery.cause,
  replayOf: delivery.replayOf,
  ...(delivery.fault === null ? {} : { fault: delivery.fault }),
})
