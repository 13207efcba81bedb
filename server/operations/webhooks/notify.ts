import type { ActiveBehaviors } from '../../domain/behaviors/behavior.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { EntryPoint } from '../../domain/events/event-fields.ts'
import type { Link } from '../../domain/links/link.ts'
import { mapRedirect } from '../../domain/network/origin-map.ts'
import type { PaymentOutcome } from '../../domain/webhooks/webhook.ts'
import type { RedirectOrder } from '../../store/repositories/deliveries.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { enqueueWebhooks } from './enqueue-webhooks.ts'
import {
  planRedirect,
  sendRedirect,
  toRedirect,
  type Browser,
  type PaymentResult,
  type PlannedRedirect,
} from './payment-result.ts'

interface Customer {
  /** `away`: on the page that waits for a transfer, which takes it back to the shop. */
  readonly browser: Browser | 'away'
  readonly entryPoint: EntryPoint
}

type Notified = Pick<PaymentResult, 'redirect' | 'lost' | 'deliveries' | 'order'>

/** Sends redirect and webhooks of an outcome, or has one of them wait for the other where `order` says so. */
export async function notify(
  work: UnitOfWork,
  link: Link,
  outcome: PaymentOutcome,
  customer: Customer,
  behaviors: ActiveBehaviors,
  sendsWebhook: () => boolean = () => true,
): Promise<Notified> {
  const { browser } = customer
  const directed = browser === 'away' ? null : await planRedirect(work, link, outcome, browser, behaviors)
  const order = orderFor(link, customer, directed, behaviors)

  if (order !== 'webhook-first') {
    const sent = await sendRedirect(work, directed)
    const deliveries = await send({ order, redirect: null })
    return { ...sent, deliveries, order: deliveries.length === 0 ? null : order }
  }
  const redirect = directed && {
    ...directed.redirect,
    assumed: [...directed.redirect.assumed, 'order' as const],
  }
  const deliveries = await send({ order, redirect })
  if (deliveries.length === 0) return { ...(await sendRedirect(work, directed)), deliveries, order: null }
  const sent = redirect && toRedirect(mapRedirect(redirect, await egressRules.maps(work.db)))
  return { redirect: sent, lost: null, deliveries, order }

  async function send(inOrder: RedirectOrder): Promise<Delivery[]> {
    if (!sendsWebhook()) return []
    if (inOrder.order !== null) behaviors.use('order')
    return enqueueWebhooks(work, link, outcome, 'outcome', behaviors, inOrder)
  }
}

/** Nothing waits where there is no redirect, and no webhook waits for one that nobody receives from us. */
function orderFor(
  link: Link,
  { browser, entryPoint }: Customer,
  directed: PlannedRedirect | null,
  behaviors: ActiveBehaviors,
): Delivery['order'] {
  const order = behaviors.peek('order')
  if (order === 'together' || link.callbackUrl === '' || directed?.isLost) return null
  const isAnswered = browser === 'returns' && entryPoint === 'checkout'
  return order === 'webhook-first' || isAnswered ? order : null
}
