import type { StatusText } from './webhook.ts'
import { type RetryWaits, parseRetryWaits } from '../behaviors/retry-waits.ts'
import type { Instant } from '../time/berlin-time.ts'
import type { FaultMark } from '../faults/fault.ts'
import { type Headers, type Exchange, textBody } from '../http/exchange.ts'
import type { deliveryFields, eventFields, FieldsOf } from '../events/event-fields.ts'
import type { AttemptErrorCode, DeliveryCause, DeliveryState } from './delivery-values.ts'
import type { Subject } from '../links/subject.ts'
import { hidePasswords } from '../network/credentials.ts'

/** The delivery of one webhook to one target. */
export interface Delivery {
  readonly id: number
  readonly accountId: string
  readonly linkId: number
  readonly payId: number
  readonly status: StatusText
  readonly cause: DeliveryCause
  /** A path means the sandbox itself. */
  readonly target: string
  readonly reason: string
  readonly contentType: string
  readonly body: string
  readonly state: DeliveryState
  readonly attempts: number
  /** The waits between attempts that applied when the webhook was queued. */
  readonly retries: RetryWaits
  /** When the next attempt is due, according to the sandbox's clock. `null` for the first attempt, which is due at once. */
  readonly nextAttemptAt: Instant | null
  /** The host that the developer allowed for this delivery only. */
  readonly allowedTo: string | null
  /**
   * Whether the webhook may have been sent before: the process ended during an attempt, or the delivery comes from a snapshot.
   */
  readonly possibleDuplicate: boolean
  /** The id of the delivery that is repeated, if this is a replay. */
  readonly replayOf: number | null
  /** The fault that affected the delivery, or that created it. Cleared before the next attempt. */
  readonly fault: FaultMark | null
  readonly createdAt: Instant
}

/** The header that tells a tunnel of this sandbox the id of the delivery. */
export const DELIVERY_HEADER = 'sandbox-delivery'

/** The header that contains the name of the tunnel, if the tunnel stored a delivery and answered instead of a listener. */
export const STORED_HEADER = 'sandbox-stored-in'

/** The result of one POST: a response, or the reason why there is none. */
export interface Attempt {
  readonly status: number | null
  readonly error: string | null
  readonly errorCode?: AttemptErrorCode
  /** The address of the host machine, if it was used because localhost is the sandbox's container. */
  readonly via?: string
  /** The tunnel of this sandbox that stored the webhook and answered because no listener was connected. */
  readonly storedIn?: string
  readonly ms: number
  readonly requestHeaders: Headers
  readonly responseHeaders: Headers
  readonly responseBody: Uint8Array
  /** The size of the response in bytes. `responseBody` is shorter if it was truncated. */
  readonly responseSize: number
}

/** The content of a delivery that was not attempted yet. */
export const intendedExchange = ({
  target,
  contentType,
  body,
}: Pick<Delivery, 'target' | 'contentType' | 'body'>): Exchange => ({
  request: {
    method: 'POST',
    url: hidePasswords(target),
    headers: [['content-type', contentType]],
    body: textBody(body),
  },
  response: null,
})

/** Any 2xx status counts as success, even if the connection fails afterwards. */
export const isSuccessful = (attempt: Pick<Attempt, 'status'>): boolean =>
  attempt.status !== null && attempt.status >= 200 && attempt.status < 300

/** The state of a delivery after an attempt. The first wait is between the first and the second attempt. */
export function applyAttempt(delivery: Delivery, attempt: Attempt, at: Instant): Delivery {
  const counted = { ...delivery, attempts: delivery.attempts + 1 }
  if (isSuccessful(attempt)) {
    return { ...counted, state: attempt.storedIn === undefined ? 'delivered' : 'stored', nextAttemptAt: null }
  }
  const wait = parseRetryWaits(delivery.retries)[delivery.attempts]
  if (wait === undefined) return { ...counted, state: 'failed', nextAttemptAt: null }
  return {
    ...counted,
    fault: null,
    state: 'pending',
    nextAttemptAt: new Date(Date.parse(at) + wait).toISOString(),
  }
}

/**
 * The listener's response that counts for a stored webhook. One successful response is enough. `attempts` are all attempts of the
 * delivery. Only the last attempt can be stored, so responses to earlier attempts do not count. They can be recognized: a tunnel
 * captures the request of an attempt only after the previous attempt was recorded.
 */
export function decisiveAnswer<Answer extends Pick<Attempt, 'status'> & { readonly eventSeq: number }>(
  answers: readonly Answer[],
  attempts: readonly { readonly seq: number }[],
): Answer | undefined {
  const previous = attempts.at(-2)?.seq ?? 0
  const toLast = answers.filter(({ eventSeq }) => eventSeq > previous)
  return toLast.find(isSuccessful) ?? toLast.at(-1)
}

/**
 * The delivery whose webhook a listener has fetched. `undefined` if the request did not come from the sandbox, or if the sandbox
 * answered it itself.
 */
export const fetchedDelivery = ({
  listener,
  capturedDeliveryId,
}: Pick<FieldsOf<(typeof eventFields)['tunnel.answered']>, 'listener' | 'capturedDeliveryId'>):
  | number
  | undefined => (listener === null ? undefined : (capturedDeliveryId ?? undefined))

/**
 * Whether a tunnel stored the webhook of this attempt. If the tunnel responded with an error, the attempt has failed like any
 * other.
 */
export const isStored = ({
  storedIn,
  httpStatus,
}: Pick<FieldsOf<(typeof eventFields)['delivery.attempted']>, 'storedIn' | 'httpStatus'>): boolean =>
  storedIn !== undefined && isSuccessful({ status: httpStatus })

/** Whether a delivery cannot change until the clock advances. */
export const isSettled = (
  { state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>,
  now: Instant,
): boolean =>
  state === 'pending'
    ? nextAttemptAt !== null && nextAttemptAt > now
    : state !== 'planned' && state !== 'underway'

/** A webhook, in every event of its delivery. */
type DeliverySubject = Subject & FieldsOf<typeof deliveryFields>

export function deliverySubject(delivery: Delivery): DeliverySubject {
  const { id, accountId, linkId, payId, target, reason, status, cause, replayOf, fault } = delivery
  const subject = { accountId, linkId, payId, deliveryId: id, target, reason, status, cause, replayOf }
  return fault === null ? subject : { ...subject, fault }
}
