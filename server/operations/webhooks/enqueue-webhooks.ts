import type { ActiveBehaviors } from '../../domain/behaviors/behavior.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { deliverySubject } from '../../domain/webhooks/delivery.ts'
import type { Link } from '../../domain/links/link.ts'
import { accountDefaultTargets, type Target } from '../../domain/links/targets.ts'
import { spellStatus, webhookBody, type PaymentOutcome } from '../../domain/webhooks/webhook.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../store/store.ts'

/** Queues one delivery for each target of a link. */
export async function enqueueWebhooks(
  work: UnitOfWork,
  link: Link,
  outcome: PaymentOutcome,
  cause: 'outcome' | 'resend',
  behaviors: ActiveBehaviors,
  waiting: Partial<deliveries.RedirectOrder> = {},
): Promise<Delivery[]> {
  const status = spellStatus(outcome, behaviors.use('statusText'))
  const encoding = behaviors.use('webhookEncoding')
  const body = webhookBody({ ...link, status }, encoding, behaviors.use('amountText'))
  const retries = behaviors.peek('retries')
  if (retries !== 'none') behaviors.use('retries')

  const queued: Delivery[] = []
  for (const { url, reason } of await webhookTargets(work, link)) {
    const delivery = await deliveries.queue(
      work.db,
      {
        accountId: link.accountId,
        linkId: link.id,
        payId: link.payId,
        status,
        cause,
        target: url,
        reason,
        contentType: body.contentType,
        body: body.text,
        retries,
        replayOf: null,
        ...waiting,
      },
      work.now,
    )
    await work.record({ type: 'delivery.queued', ...deliverySubject(delivery), assumed: behaviors.used })
    queued.push(delivery)
  }
  return queued
}

/** Returns the targets of a link's webhooks: its own, or the account's current payment endpoint. */
export async function webhookTargets({ db }: Pick<UnitOfWork, 'db'>, link: Link): Promise<readonly Target[]> {
  if (link.targets.length > 0) return link.targets
  const owner = await accounts.find(db, link.accountId)
  return accountDefaultTargets(owner?.paymentEndpoint ?? '')
}
