import { aboutLink } from '../../domain/links/subject.ts'
import type { Door } from '../../domain/events/event.ts'
import type { Link, PaymentMethod } from '../../domain/links/link.ts'
import { heed, objectionTo } from '../../domain/links/why-not.ts'
import * as links from '../../store/repositories/links.ts'
import type { Work } from '../../store/store.ts'
import { inForceFor } from '../caller.ts'
import { notify } from '../webhooks/notify.ts'
import type { Browser, Consequence } from '../webhooks/payment-result.ts'

interface Payment {
  readonly method: PaymentMethod
  readonly browser: Browser
  readonly door: Door
}

/**
 * The customer pays. A card payment is confirmed at once; a bank transfer waits for the operator.
 * A link is paid once: whoever comes second is refused.
 */
export async function payLink(work: Work, link: Link, payment: Payment): Promise<Consequence> {
  const { method, door, browser } = payment
  heed(method === 'card' ? objectionTo.pay(link) : objectionTo.payByTransfer(link))
  if (method === 'card') return confirmPayment(work, link, method, door, browser)

  const awaiting: Link = { ...link, status: 'awaiting-transfer' }
  await links.save(work.db, awaiting)
  await work.record({ type: 'bank_transfer.initiated', ...aboutLink(link), door })
  return { link: awaiting, redirect: null, lost: null, deliveries: [], order: null, assumed: [] }
}

/** The money is there: the link is spent, every target is told, the browser goes back to the shop. */
export async function confirmPayment(
  work: Work,
  link: Link,
  method: PaymentMethod,
  door: Door,
  browser: Browser | 'away',
): Promise<Consequence> {
  const paid: Link = { ...link, status: 'paid', paidBy: method, paidAt: work.now }
  await links.save(work.db, paid)
  await work.record({ type: 'link.paid', ...aboutLink(link), door, method, amount: link.amount })

  const inForce = await inForceFor(work, link.accountId)
  const notified = await notify(work, paid, 'Success', { browser, door }, inForce)
  return { link: paid, ...notified, assumed: inForce.relied }
}
