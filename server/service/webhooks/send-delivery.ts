import type { EgressPolicy } from '../egress/egress-policy.ts'
import type { Post } from '../egress/post.ts'
import {
  type Attempt,
  type Delivery,
  DELIVERY_HEADER,
  STORED_HEADER,
} from '../../domain/webhooks/delivery.ts'
import { isForged } from '../../domain/faults/fault.ts'
import { findHeader, type Headers } from '../../domain/http/exchange.ts'
import { hostOf } from '../../domain/network/allowed-host.ts'
import type { HostScope } from '../../domain/network/egress-rules.ts'
import { findSimilarMap } from '../../domain/network/origin-map.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import type { DeliveryJob } from './delivery-job.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'

export interface SendOptions {
  readonly checkEgress: EgressPolicy
  readonly post: Post
  /** Returns the path of an address on the sandbox itself, and `null` for any other address. */
  readonly ownPath: (url: string) => string | null
  /** The sandbox's time. */
  readonly now: () => Date
}

/** The attempt, or the reason why the egress policy holds the delivery. */
export type SendResult = AttemptResult | HoldResult

export interface HoldResult {
  readonly host: string
  readonly hostScope: HostScope
  readonly similarMap?: string
}

export interface AttemptResult {
  readonly attempt: Attempt
  readonly startedAt: Instant
  /** Whether another attempt would have the same result. */
  readonly isFinal: boolean
}

/** Makes one attempt of a delivery, unless the egress policy holds it. Never throws; a failure is part of the result. */
export async function sendDelivery(
  { delivery, effect, mappedTo, url, egressRules }: DeliveryJob,
  { checkEgress, post, ownPath, now }: SendOptions,
  signal: AbortSignal,
): Promise<SendResult> {
  // A target that is not a URL can come from a snapshot that was edited by hand. It must not block the queue.
  if (url === null) {
    const attempt = { ...NOT_SENT, error: `${truncate(hidePasswords(delivery.target), 100)} is not a URL` }
    return { attempt, startedAt: now().toISOString(), isFinal: true }
  }
  const verdict = await checkEgress(url, {
    isAllowedOnce: delivery.allowedTo === hostOf(url),
    isForged: isForged(delivery.fault),
  })
  if (verdict.verdict === 'hold') {
    const { host, hostScope } = verdict
    // The user may have expected a similar map to apply, so the message mentions it.
    const similar = mappedTo === undefined ? findSimilarMap(url.href, egressRules.maps)?.from : undefined
    return { host, hostScope, ...omitUndefined({ similarMap: similar }) }
  }
  const startedAt = now().toISOString()
  if (verdict.verdict === 'never') {
    return { attempt: { ...NOT_SENT, error: verdict.reason }, startedAt, isFinal: true }
  }
  if (effect?.kind === 'drop') {
    return { attempt: { ...NOT_SENT, error: 'dropped by a fault' }, startedAt, isFinal: false }
  }
  if (effect?.kind === 'status') {
    return { attempt: { ...NOT_SENT, status: effect.status }, startedAt, isFinal: false }
  }
  const { contentType, body } = delivery
  const isOwnTunnel = url.pathname.startsWith('/tunnel/') && ownPath(url.href) !== null
  const webhook = {
    contentType,
    body,
    headers: isOwnTunnel ? deliveryHeader(delivery) : [],
    ...(effect?.kind === 'slow' ? { slowMs: effect.ms } : {}),
    ...(effect?.kind === 'content-type' ? { contentType: effect.type } : {}),
  }
  const attempt = await post(url, verdict.addresses, webhook, signal)
  // The header is ignored in responses of other receivers, which could also send it.
  const storedIn = isOwnTunnel ? findHeader(attempt.responseHeaders, STORED_HEADER) : undefined
  return { attempt: { ...attempt, ...omitUndefined({ storedIn }) }, startedAt, isFinal: false }
}

/**
 * The header that tells a tunnel of this sandbox which delivery it has captured. Other receivers get only what the real service
 * sends.
 */
const deliveryHeader = ({ id }: Delivery): Headers => [[DELIVERY_HEADER, String(id)]]

const NOT_SENT: Attempt = {
  status: null,
  error: null,
  ms: 0,
  requestHeaders: [],
  responseHeaders: [],
  responseBody: new Uint8Array(),
  responseSize: 0,
}
