import { linkSubject } from '../../../domain/links/subject.ts'
import type { EntryPoint } from '../../../domain/events/event-fields.ts'
import type { BrowserAction, Link, PaymentMethod } from '../../../domain/links/link.ts'
import { assertAllowed, whyNot } from '../../../domain/links/link-rules.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { activeBehaviors } from '../accounts/caller.ts'
import { planNotifications } from '../webhooks/plan-notifications.ts'
import type { PaymentResult } from '../webhooks/payment-result.ts'

interface Payment {
  readonly method: PaymentMethod
  readonly browser: BrowserAction
  readonly entryPoint: EntryPoint
}

/**
 * Pays a link. A card payment is confirmed at once, but a bank transfer waits for an operator. `whyNot.pay` rejects a second
 * payment. Two payments at the same time cannot both succeed, because units of work run one after another (`Store.transact`).
 */
export async function payLink(work: UnitOfWork, link: Link, payment: Payment): Promise<PaymentResult> {
  const { method, entryPoint, browser } = payment
  assertAllowed(method === 'card' ? whyNot.pay(link) : whyNot.payByTransfer(link))
  if (method === 'card') return confirmPayment(work, link, method, entryPoint, browser)

  const awaiting: Link = { ...link, status: 'awaiting-transfer' }
  await links.save(work.db, awaiting)
  await work.record({ type: 'bank_transfer.initiated', ...linkSubject(link), entryPoint })
  return { link: awaiting, redirect: null, deliveries: [], plan: null, assumed: [] }
}

/**
 * Marks the link as paid, queues its webhooks, and redirects the browser. The caller must have checked in the same unit of work
 * that the link may be paid.
 */
export async function confirmPayment(
  work: UnitOfWork,
  link: Link,
  method: PaymentMethod,
  entryPoint: EntryPoint,
  browser: BrowserAction | 'away',
): Promise<PaymentResult> {
  const paid: Link = { ...link, status: 'paid', paidBy: method, paidAt: work.now }
  await links.save(work.db, paid)
  await work.record({ type: 'link.paid', ...linkSubject(link), entryPoint, method, amount: link.amount })

  const behaviors = await activeBehaviors(work, link.accountId)
  const notifications = await planNotifications(work, paid, 'Success', { browser, entryPoint }, behaviors)
  return { link: paid, ...notifications, assumed: behaviors.used }
}
