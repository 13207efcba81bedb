import type { ActiveBehaviors } from '../../../domain/behaviors/behavior.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import { deliverySubject } from '../../../domain/webhooks/delivery.ts'
import type { Link } from '../../../domain/links/link.ts'
import { accountDefaultTargets, type Target } from '../../../domain/links/targets.ts'
import {
  spellStatus,
  webhookBody,
  type StatusToSend,
  type WebhookBody,
  type WebhookContent,
} from '../../../domain/webhooks/webhook.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Queues one delivery for each target of a link. Deliveries in state `planned` wait until their plan starts them. */
export async function enqueueWebhooks(
  work: UnitOfWork,
  link: Link,
  toSend: StatusToSend,
  cause: 'outcome' | 'resend',
  behaviors: ActiveBehaviors,
  state?: 'planned',
): Promise<Delivery[]> {
  const status =
    typeof toSend === 'string' ? spellStatus(toSend, behaviors.dependOn('statusText')) : toSend.text
  const body = writeWebhook({ ...link, status }, behaviors)
  const retries = behaviors.settings.retries
  if (retries !== 'none') behaviors.dependOn('retries')
  const webhook = {
    status,
    cause,
    contentType: body.contentType,
    body: body.text,
    retries,
    ...(state && { state }),
  }
  return queueForTargets(work, link, await webhookTargets(work, link), webhook, behaviors)
}

/** Writes the body of a webhook, which is not signed. */
export function writeWebhook(content: WebhookContent, behaviors: ActiveBehaviors): WebhookBody {
  behaviors.markAssumptions('webhookSignature')
  const webhookEncoding = behaviors.dependOn('webhookEncoding')
  return webhookBody(content, {
    webhookEncoding,
    formEncoding:
      webhookEncoding === 'form' ? behaviors.dependOn('formEncoding') : behaviors.settings.formEncoding,
    amountText: behaviors.dependOn('amountText'),
  })
}

/** Queues a webhook of a link for each of its targets. */
export async function queueForTargets(
  work: UnitOfWork,
  link: Link,
  targets: readonly Target[],
  webhook: Omit<deliveries.NewDelivery, 'accountId' | 'linkId' | 'payId' | 'target' | 'reason' | 'replayOf'>,
  behaviors: ActiveBehaviors,
): Promise<Delivery[]> {
  const { accountId, id: linkId, payId } = link
  const queued: Delivery[] = []
  for (const { url, reason } of targets) {
    const delivery = await deliveries.queue(
      work.db,
      { accountId, linkId, payId, target: url, reason, replayOf: null, ...webhook },
      work.now,
    )
    await work.record({ type: 'delivery.queued', ...deliverySubject(delivery), assumed: behaviors.used })
    queued.push(delivery)
  }
  return queued
}

/** The targets of a link's webhooks: its own targets, or the account's current payment endpoint. */
export async function webhookTargets({ db }: Pick<UnitOfWork, 'db'>, link: Link): Promise<readonly Target[]> {
  if (link.targets.length > 0) return link.targets
  const owner = await accounts.find(db, link.accountId)
  return accountDefaultTargets(owner?.paymentEndpoint ?? '')
}
