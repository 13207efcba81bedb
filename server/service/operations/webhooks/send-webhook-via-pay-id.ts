import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import type { Link } from '../../../domain/links/link.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import { readStatus, type PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { enqueueWebhooks } from './enqueue-webhooks.ts'
import type { Caller } from '../accounts/caller.ts'

/** Sends the webhooks of payments again. If one id is invalid or the status is refused, the whole call is rejected. */
export async function sendWebhookViaPayId(
  work: UnitOfWork,
  caller: Caller,
  payIds: readonly number[],
  givenStatus: string,
): Promise<Delivery[]> {
  caller.behaviors.markAssumptions('resendAnswer')
  caller.behaviors.dependOn('payId')
  const status = readStatus(givenStatus, () => caller.behaviors.dependOn('resendStatus'))
  if (status === undefined) throw apiError('wrongType', 'status', 'Success or cancel')
  if (new Set(payIds).size < payIds.length) caller.behaviors.markAssumptions('repeatedEntries')
  const queued: Delivery[] = []
  for (const payId of payIds) {
    const link = await links.withPayId(work.db, payId)
    if (link?.accountId !== caller.account.id || link.status === 'deleted') throw apiError('linkUnknown')
    if (typeof status === 'string') assertResendAllowed(link, status, caller)

    const sent = await enqueueWebhooks(work, link, status, 'resend', caller.behaviors)
    if (sent.length === 0) throw apiError('noTarget', payId)
    queued.push(...sent)
  }
  return queued
}

/** An outcome that has happened can always be sent again. For any other status, the behavior `resendUnpaid` decides. */
function assertResendAllowed(
  { payId, status: now }: Link,
  status: PaymentOutcome,
  { behaviors }: Caller,
): void {
  const isPayment = status === 'Success'
  if (now === (isPayment ? 'paid' : 'cancelled') || behaviors.dependOn('resendUnpaid') === 'send') return
  throw apiError(isPayment ? 'resendUnpaid' : 'resendUncancelled', payId)
}
