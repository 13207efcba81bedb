import type { ActiveBehaviors, BehaviorSettings } from '../../../domain/behaviors/behavior.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import type { EntryPoint } from '../../../domain/events/event-fields.ts'
import type { BrowserAction, Link } from '../../../domain/links/link.ts'
import type { PlanStep } from '../../../domain/webhooks/notification-plan.ts'
import { readEventOrder, type EventOrder } from '../../../domain/webhooks/payment-events.ts'
import type { PlannedRedirect } from '../../../domain/webhooks/redirect.ts'
import type { PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import * as plans from '../../../store/repositories/plans.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { activeBehaviors } from '../accounts/caller.ts'
import { enqueueWebhooks, webhookTargets } from './enqueue-webhooks.ts'
import { forgeWebhook } from './forge-webhook.ts'
import type { Notifications } from './payment-result.ts'
import { planRedirect, recordRedirect, resolveRedirect } from './redirect.ts'
import { replayDelivery } from './replay-delivery.ts'

interface Customer {
  /** `away` means that the browser shows the waiting page of a bank transfer, which gets its redirect separately. */
  readonly browser: BrowserAction | 'away'
  readonly entryPoint: EntryPoint
}

/**
 * Decides by the behavior `order` what is sent after an outcome, and in which sequence. Notifications that can be sent at once
 * are recorded and queued here. The others become a plan, which is stored together with the outcome, so that it survives a
 * restart. `webhooks/plan-runner.ts` carries it out. A target gets its webhooks one after another, so with `webhook-first` the
 * customer may also have to wait until earlier webhooks time out.
 */
export async function planNotifications(
  work: UnitOfWork,
  link: Link,
  outcome: PaymentOutcome,
  customer: Customer,
  behaviors: ActiveBehaviors,
  sendsWebhook: () => boolean = () => true,
): Promise<Notifications> {
  const { browser } = customer
  const planned = browser === 'away' ? null : await planRedirect(work, link, outcome, browser, behaviors)
  const sequence = await chooseSequence()
  switch (sequence) {
    case 'together':
      return { redirect: await recordRedirect(work, planned), deliveries: await enqueue(), plan: null }
    case 'webhook-first': {
      const queued = await enqueue()
      return { ...(await storePlan([{ redirect: true }])), deliveries: queued }
    }
    case 'redirect-first': {
      await recordRedirect(work, planned)
      const queued = await enqueue('planned')
      return {
        ...(await storePlan([{ webhooks: idsOf(queued) }], { awaitsResponse: true })),
        deliveries: queued,
      }
    }
    default: {
      const queued = await enqueue('planned')
      const events = readEventOrder(sequence)
      const refund = events.indexOf('refund')
      const first = refund === -1 ? events : events.slice(0, refund)
      const afterRefund = refund === -1 ? [] : events.slice(refund + 1)
      const steps = withRedirect(await planSteps(work, link, first, queued, false, behaviors))
      return { ...(await storePlan(steps, { afterRefund })), deliveries: queued }
    }
  }

  async function chooseSequence(): Promise<BehaviorSettings['order']> {
    const { order } = behaviors.settings
    if (order === 'together' || !(await canFollow(order))) return 'together'
    behaviors.dependOn('order')
    return order
  }

  async function canFollow(order: BehaviorSettings['order']): Promise<boolean> {
    const isList = order !== 'webhook-first' && order !== 'redirect-first'
    if (isList) return outcome === 'Success'
    if (!canWait(order, link, customer, planned) || !sendsWebhook()) return false
    return (await webhookTargets(work, link)).length > 0
  }

  async function enqueue(state?: 'planned'): Promise<Delivery[]> {
    return sendsWebhook() ? enqueueWebhooks(work, link, outcome, 'outcome', behaviors, state) : []
  }

  async function storePlan(
    steps: readonly PlanStep[],
    { awaitsResponse = false, afterRefund = [] }: { awaitsResponse?: boolean; afterRefund?: EventOrder } = {},
  ) {
    // A redirect that must wait depends on the behavior. A redirect that is recorded at once does not.
    const dependsOnOrder = steps.some((step) => step.redirect) ? behaviors.used.filter(isOrder) : []
    const redirect = planned && {
      ...planned,
      redirect: { ...planned.redirect, assumed: [...planned.redirect.assumed, ...dependsOnOrder] },
    }
    const plan = await plans.insert(work.db, {
      linkId: link.id,
      steps,
      awaitsResponse,
      redirect,
      afterRefund,
    })
    return { redirect: await resolveRedirect(work, redirect), plan }
  }
}

const isOrder = (name: string): boolean => name === 'order'

/**
 * Whether redirect and webhooks can wait for each other. A webhook waits only for a redirect that this sandbox itself sends
 * to a browser.
 */
function canWait(
  order: BehaviorSettings['order'],
  link: Link,
  { browser, entryPoint }: Customer,
  planned: PlannedRedirect | null,
): boolean {
  if (link.callbackUrl === '' || planned?.isLost) return false
  return order === 'webhook-first' || (browser === 'returns' && entryPoint === 'checkout')
}

/** When a refund is approved, plans the events that the behavior `order` lists after it. */
export async function planAfterRefund(work: UnitOfWork, link: Link): Promise<void> {
  const plan = await plans.find(work.db, link.id)
  if (plan === undefined) return
  const originals = await deliveries.listOutcomes(work.db, link.id)
  const behaviors = await activeBehaviors(work, link.accountId)
  const steps = await planSteps(work, link, plan.afterRefund, originals, true, behaviors)
  await plans.save(work.db, { ...plan, steps: [...plan.steps, ...steps], afterRefund: [] })
}

/**
 * Queues the webhooks of these events, and returns the steps that start them. The last step is empty. It is reached when all
 * webhooks have settled.
 */
async function planSteps(
  work: UnitOfWork,
  link: Link,
  events: EventOrder,
  originals: readonly Delivery[],
  areStarted: boolean,
  behaviors: ActiveBehaviors,
): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  let isRepeated = areStarted
  for (const event of events) {
    switch (event) {
      case 'redirect':
        steps.push({ page: 'Success' })
        break
      case 'success':
        steps.push({ webhooks: await nextWebhooks() })
        break
      case 'both':
        steps.push({ page: 'Success', webhooks: await nextWebhooks() })
        break
      case 'targets':
        for (const id of (await nextWebhooks()).toReversed()) steps.push({ webhooks: [id] })
        break
      case 'duplicate':
        steps.push({ webhooks: [...(await nextWebhooks()), ...(await nextWebhooks())] })
        break
      case 'resend':
        steps.push({
          webhooks: idsOf(await enqueueWebhooks(work, link, 'Success', 'resend', behaviors, 'planned')),
        })
        break
      case 'cancel':
        steps.push({ webhooks: await forgeCancel('nothing') })
        break
      case 'forged-cancel':
        steps.push({ webhooks: await forgeCancel('user') })
        break
      case 'cancel-redirect':
        steps.push({ page: 'cancel' })
        break
      case 'refund':
        // A list contains at most one refund. The events after it are planned when the refund is approved.
        break
    }
  }
  return [...steps, {}]

  /** The webhooks of the outcome: first the originals, then copies with the same bytes. */
  async function nextWebhooks(): Promise<number[]> {
    if (!isRepeated) {
      isRepeated = true
      return idsOf(originals)
    }
    const copies: number[] = []
    for (const original of originals) {
      copies.push((await replayDelivery(work, original, { state: 'planned' })).id)
    }
    return copies
  }

  async function forgeCancel(forgery: 'nothing' | 'user'): Promise<number[]> {
    // The payment endpoint may have been removed since.
    if (originals.length === 0 || (await webhookTargets(work, link)).length === 0) return []
    return idsOf(await forgeWebhook(work, link, { forgery, status: 'cancel', state: 'planned' }))
  }
}

/** Records the redirect in the first step that opens the page of the shop, or after all steps if none does. */
function withRedirect(steps: readonly PlanStep[]): PlanStep[] {
  const first = steps.findIndex(({ page }) => page === 'Success')
  return first === -1
    ? [...steps, { redirect: true }]
    : steps.map((step, index) => (index === first ? { ...step, redirect: true } : step))
}

const idsOf = (queued: readonly Delivery[]): number[] => queued.map(({ id }) => id)
