import type { Delivery } from '../domain/webhooks/delivery.ts'
import { deliverySubject } from '../domain/webhooks/delivery.ts'
import { parseEffect, type EffectByPoint } from '../domain/faults/fault-effect.ts'
import { applyMaps } from '../domain/network/origin-map.ts'
import type { EgressRules } from '../domain/network/egress-rules.ts'
import * as deliveries from '../store/repositories/deliveries.ts'
import * as epoch from '../store/journal/epoch.ts'
import * as faults from '../store/repositories/faults.ts'
import * as egressRules from '../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../store/store.ts'
import { releaseRedirect } from './release-redirect.ts'

/** A webhook on its way, and the life of the journal it belongs to. */
export interface DeliveryJob {
  readonly delivery: Delivery
  /** What goes wrong with this attempt: the delivery is marked with it. */
  readonly effect: EffectByPoint['webhook'] | undefined
  /** Whether the fault struck just now, and can have its strike back where nothing sets out. */
  readonly isStruck: boolean
  readonly epoch: string | undefined
  /** Where a map leads it in place of its target. */
  readonly mappedTo: string | undefined
  /** By what it was judged. */
  readonly outlets: EgressRules
}

/** Takes what is due for a target, and what a fault does to that. One that is put off makes way for the next. */
export async function takeJob(
  work: UnitOfWork,
  target: string,
  hrefOf: (target: string) => string,
): Promise<DeliveryJob | undefined> {
  const { db, now } = work
  for (;;) {
    const taken = await deliveries.takeNext(db, target, now)
    if (!taken) return undefined
    const rest = await resolveRoute(work, target)
    // A fault strikes once: what was underway with it when a process ended goes on with it.
    if (taken.fault !== null) {
      return { delivery: taken, effect: effectOfEarlierFault(taken), isStruck: false, ...rest }
    }
    const { effect, mark } = await faults.applyFault(db, {
      on: 'webhook',
      accountId: taken.accountId,
      targets: [target, rest.mappedTo ?? target].map(hrefOf).concat(target),
    })
    if (!mark) return { delivery: taken, effect: undefined, isStruck: false, ...rest }
    const delivery = { ...taken, fault: mark }
    if (effect?.kind === 'delay' || effect?.kind === 'reorder') {
      await delayDelivery(work, delivery, effect.ms)
      continue
    }
    await deliveries.save(db, delivery)
    return { delivery, effect, isStruck: true, ...rest }
  }
}

async function resolveRoute(
  { db }: UnitOfWork,
  target: string,
): Promise<Pick<DeliveryJob, 'epoch' | 'mappedTo' | 'outlets'>> {
  const now = await egressRules.read(db)
  return { epoch: await epoch.current(db), mappedTo: applyMaps(target, now.maps)?.to, outlets: now }
}

/** What was put off goes as it is now, and a copy is not copied. */
function effectOfEarlierFault({ cause, fault }: Delivery): EffectByPoint['webhook'] | undefined {
  const effect = fault === null ? undefined : parseEffect('webhook', fault.effect)
  if (
    effect === undefined ||
    effect.kind === 'pass' ||
    effect.kind === 'delay' ||
    effect.kind === 'reorder'
  ) {
    return undefined
  }
  return effect.kind === 'duplicate' && cause === 'duplicate' ? undefined : effect
}

async function delayDelivery(work: UnitOfWork, delivery: Delivery, ms: number): Promise<void> {
  const { db, now, record } = work
  const nextAttemptAt = new Date(Date.parse(now) + ms).toISOString()
  await deliveries.save(db, { ...delivery, state: 'pending', nextAttemptAt, order: null })
  await record({ type: 'delivery.delayed', ...deliverySubject(delivery), nextAttemptAt })
  // Nobody waits for what the clock may never come to.
  if (delivery.order === 'webhook-first') await releaseRedirect(work, delivery)
}

/** Queues the same bytes again, which follow in the same lane. */
export async function queueCopies(
  { db, now, record }: UnitOfWork,
  origin: Delivery,
  copies: number,
): Promise<void> {
  for (let number = 0; number < copies; number++) {
    const duplicate = await deliveries.queue(
      db,
      {
        accountId: origin.accountId,
        linkId: origin.linkId,
        payId: origin.payId,
        status: origin.status,
        target: origin.target,
        contentType: origin.contentType,
        body: origin.body,
        cause: 'duplicate',
        reason: `duplicate of delivery ${origin.id}`,
        retries: 'none',
        replayOf: origin.id,
        ...(origin.fault === null ? {} : { fault: origin.fault }),
      },
      now,
    )
    await record({ type: 'delivery.queued', ...deliverySubject(duplicate), assumed: [] })
  }
}
