import { linkSubject } from '../../../domain/links/subject.ts'
import type { EntryPoint } from '../../../domain/events/event-fields.ts'
import { sendsCancelWebhook, type BrowserAction, type Link } from '../../../domain/links/link.ts'
import { assertAllowed, whyNot } from '../../../domain/links/link-rules.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { activeBehaviors } from '../accounts/caller.ts'
import type { PaymentResult } from '../webhooks/payment-result.ts'
import { planNotifications } from '../webhooks/plan-notifications.ts'

/** Cancels a link, if it is cancellable. */
export async function cancelLink(
  work: UnitOfWork,
  link: Link,
  browser: BrowserAction,
  entryPoint: EntryPoint,
): Promise<PaymentResult> {
  assertAllowed(whyNot.cancel(link))

  const cancelled: Link = { ...link, status: 'cancelled' }
  await links.save(work.db, cancelled)
  await work.record({ type: 'link.cancelled', ...linkSubject(link), entryPoint })

  const behaviors = await activeBehaviors(work, link.accountId)
  const sendsWebhook = () => sendsCancelWebhook(link, behaviors.dependOn('cancelWebhook'))
  const customer = { browser, entryPoint }
  const notifications = await planNotifications(work, cancelled, 'cancel', customer, behaviors, sendsWebhook)
  return { link: cancelled, ...notifications, assumed: behaviors.used }
}
