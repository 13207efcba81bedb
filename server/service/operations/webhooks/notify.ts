import type { ActiveBehaviors } from '../../../domain/behaviors/behavior.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import type { EntryPoint } from '../../../domain/events/event-fields.ts'
import type { Link } from '../../../domain/links/link.ts'
import { readEventOrder } from '../../../domain/webhooks/payment-events.ts'
import type { PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import type { RedirectOrder } from '../../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { enqueueWebhooks, webhookTargets } from './enqueue-webhooks.ts'
import type { Browser, PaymentResult, PlannedRedirect } from './payment-result.ts'
import { planRedirect, resolveRedirect, sendRedirect } from './redirect.ts'

interface Customer {
  /** `away`: the browser shows the page that waits for a bank transfer, which gets its own redirect. */
  readonly browser: Browser | 'away'
  readonly entryPoint: EntryPoint
}

type Notified = Pick<PaymentResult, 'redirect' | 'lost' | 'deliveries' | 'order' | 'inTurn'>

/**
 * Redirects the browser and queues the webhooks of an outcome. The behavior `order` decides whether one waits for the
 * other: a redirect that waits is stored with the deliveries that it waits for, so it survives a restart.
 *
 * `webhook-first`: the redirect waits until each webhook was attempted once. The dispatcher records `redirect.sent`
 * together with the last of these attempts. A target gets its webhooks in order, so the customer may also wait for
 * timeouts of earlier webhooks. `redirect-first`: the dispatcher skips a delivery until the response is sent or its
 * connection is closed, so it blocks no other.
 */
export async function notify(
  work: UnitOfWork,
  link: Link,
  outcome: PaymentOutcome,
  customer: Customer,
  behaviors: ActiveBehaviors,
  sendsWebhook: () => boolean = () => true,
): Promise<Notified> {
  const { browser } = customer
  const planned = browser === 'away' ? null : await planRedirect(work, link, outcome, browser, behaviors)
  const listed = outcome === 'Success' ? behaviors.settings.interleave : 'none'
  if (listed !== 'none') {
    behaviors.use('interleave')
    // The webhooks wait until `notifications/notify-in-turn.ts` sends them.
    const deliveries = await enqueue({ order: 'redirect-first', redirect: null })
    const target = planned && (await resolveRedirect(work, planned.redirect))
    const sent = planned?.isLost ? { redirect: null, lost: target } : { redirect: target, lost: null }
    return { ...sent, deliveries, order: null, inTurn: { events: readEventOrder(listed), planned } }
  }
  const chosen = chooseOrder(link, customer, planned, behaviors)
  const order = chosen !== null && (await hasWebhooks()) ? chosen : null
  if (order !== null) behaviors.use('order')

  if (order !== 'webhook-first') {
    const sent = await sendRedirect(work, planned)
    return { ...sent, deliveries: await enqueue({ order, redirect: null }), order, inTurn: null }
  }
  const ordered = behaviors.used.filter((name) => name === 'order')
  const redirect = planned && {
    ...planned.redirect,
    assumed: [...planned.redirect.assumed, ...ordered],
  }
  const deliveries = await enqueue({ order, redirect })
  return {
    redirect: redirect && (await resolveRedirect(work, redirect)),
    lost: null,
    deliveries,
    order,
    inTurn: null,
  }

  async function enqueue(waiting: RedirectOrder): Promise<Delivery[]> {
    if (!sendsWebhook()) return []
    return enqueueWebhooks(work, link, outcome, 'outcome', behaviors, waiting)
  }

  async function hasWebhooks(): Promise<boolean> {
    return sendsWebhook() && (await webhookTargets(work, link)).length > 0
  }
}

/** `null` without a redirect. A webhook waits only for a redirect that this sandbox itself sends to a browser. */
function chooseOrder(
  link: Link,
  { browser, entryPoint }: Customer,
  planned: PlannedRedirect | null,
  behaviors: ActiveBehaviors,
): Delivery['order'] {
  const order = behaviors.settings.order
  if (order === 'together' || link.callbackUrl === '' || planned?.isLost) return null
  const isSentToBrowser = browser === 'returns' && entryPoint === 'checkout'
  return order === 'webhook-first' || isSentToBrowser ? order : null
}
