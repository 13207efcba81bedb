import type { InForce } from '../../domain/behaviors/behavior.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { aboutDelivery } from '../../domain/webhooks/delivery.ts'
import { forgedMark } from '../../domain/faults/fault.ts'
import { forged, type Forgery } from '../../domain/faults/forgery.ts'
import type { Link } from '../../domain/links/link.ts'
import { Refusal, wording } from '../../domain/api/api-error.ts'
import { spell, webhookBody, type Outcome } from '../../domain/webhooks/webhook.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Work } from '../../store/store.ts'
import { targetsOf } from './enqueue-webhooks.ts'
import { inForceFor } from '../caller.ts'

type Forged = Pick<Delivery, 'status' | 'contentType' | 'body'>

/**
 * Sends what the service never said of a link: anybody who knows its address can write to a receiver. An old
 * webhook is sent as it was, byte for byte.
 */
export async function forgeWebhook(
  work: Work,
  link: Link,
  { wrong, says }: { readonly wrong: Forgery; readonly says: Outcome },
): Promise<Delivery[]> {
  const targets = await targetsOf(work, link)
  if (targets.length === 0) throw new Refusal('conflict', wording.noTargetToForge(link.id))

  const inForce = await inForceFor(work, link.accountId)
  const forgery = wrong === 'old' ? await oldWebhook(work, link) : written(link, wrong, says, inForce)
  const queued: Delivery[] = []
  for (const { url, reason } of targets) {
    const delivery = await deliveries.queue(
      work.db,
      {
        accountId: link.accountId,
        linkId: link.id,
        payId: link.payId,
        ...forgery,
        cause: 'forged',
        target: url,
        reason,
        retries: 'none',
        replayOf: null,
        fault: forgedMark(wrong),
      },
      work.now,
    )
    await work.record({ type: 'delivery.queued', ...aboutDelivery(delivery), assumed: inForce.relied })
    queued.push(delivery)
  }
  return queued
}

/** What the webhook of a link said, as somebody has it who once listened. */
async function oldWebhook({ db }: Pick<Work, 'db'>, link: Link): Promise<Forged> {
  const old = await deliveries.findOutcome(db, link.id)
  if (!old) throw new Refusal('conflict', wording.noOldWebhook(link.id))
  const { status, contentType, body } = old
  return { status, contentType, body }
}

function written(link: Link, wrong: Exclude<Forgery, 'old'>, says: Outcome, inForce: InForce): Forged {
  const status = spell(says, inForce.rely('statusText'))
  const { contentType, text } = webhookBody(
    { ...link, status, ...forged(link, wrong) },
    inForce.rely('webhookEncoding'),
    inForce.rely('amountText'),
  )
  return { status, contentType, body: text }
}
