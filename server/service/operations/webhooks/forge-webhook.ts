import type { ActiveBehaviors } from '../../../domain/behaviors/behavior.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import { createForgedMark } from '../../../domain/faults/fault.ts'
import { forgeFields, type Forgery } from '../../../domain/faults/forgery.ts'
import type { Link } from '../../../domain/links/link.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import { spellStatus, type PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { queueForTargets, webhookTargets, writeWebhook } from './enqueue-webhooks.ts'
import { activeBehaviors } from '../accounts/caller.ts'

type ForgedWebhook = Pick<Delivery, 'status' | 'contentType' | 'body'>

/**
 * Queues webhooks that the service never sent. Anyone who knows the address of a receiver can send such webhooks. The forgery
 * `old` repeats an earlier webhook byte by byte.
 */
export async function forgeWebhook(
  work: UnitOfWork,
  link: Link,
  {
    forgery,
    status: outcome,
    state,
  }: { readonly forgery: Forgery; readonly status: PaymentOutcome; readonly state?: 'planned' },
): Promise<Delivery[]> {
  const targets = await webhookTargets(work, link)
  if (targets.length === 0) throw apiError('noTargetToForge', link.id)

  const behaviors = await activeBehaviors(work, link.accountId)
  const webhook =
    forgery === 'old' ? await findSentWebhook(work, link) : writeForgery(link, forgery, outcome, behaviors)
  const fault = createForgedMark(forgery)
  return queueForTargets(
    work,
    link,
    targets,
    { ...webhook, cause: 'forged', retries: 'none', fault, ...(state && { state }) },
    behaviors,
  )
}

/** The webhook that was sent for a link, as an eavesdropper would have seen it. */
async function findSentWebhook({ db }: Pick<UnitOfWork, 'db'>, link: Link): Promise<ForgedWebhook> {
  const [old] = await deliveries.listOutcomes(db, link.id)
  if (!old) throw apiError('noOldWebhook', link.id)
  const { status, contentType, body } = old
  return { status, contentType, body }
}

function writeForgery(
  link: Link,
  forgery: Exclude<Forgery, 'old'>,
  outcome: PaymentOutcome,
  behaviors: ActiveBehaviors,
): ForgedWebhook {
  const status = spellStatus(outcome, behaviors.dependOn('statusText'))
  const { contentType, text } = writeWebhook({ ...link, status, ...forgeFields(link, forgery) }, behaviors)
  return { status, contentType, body: text }
}
