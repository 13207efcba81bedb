import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { deliverySubject } from '../../domain/webhooks/delivery.ts'
import { parseEffect, type EffectByPoint } from '../../domain/faults/fault-effect.ts'
import { applyMaps } from '../../domain/network/origin-map.ts'
import type { EgressRules } from '../../domain/network/egress-rules.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as faults from '../../store/repositories/faults.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { hasCredentials, splitCredentials } from '../../domain/network/credentials.ts'

/** A delivery that was taken from the outbox for one attempt. */
export interface DeliveryJob {
  readonly delivery: Delivery
  /** The effect of a fault on this attempt. The delivery records which fault. */
  readonly effect: EffectByPoint['webhook'] | undefined
  /** Whether the fault was applied when the delivery was taken. If nothing is sent, this can be undone. */
  readonly isNewFault: boolean
  /** The epoch in which the delivery was taken. */
  readonly epoch: string | undefined
  /**
   * The address that a map sends the delivery to instead of its target. Maps apply when a delivery is sent, not when it is
   * queued. The egress policy, the `Host` header and diagnostics use this address. The `target` of a fault may match either
   * address.
   */
  readonly mappedTo: string | undefined
  /** The address to post to. `null` if the target, or the mapped target, is not a URL. */
  readonly url: URL | null
  /** The egress rules at the time when the delivery was taken. */
  readonly egressRules: EgressRules
}

/**
 * Takes the next deliveries for a target, at most `count`, and applies faults to them. If a fault delays a delivery, takes the one
 * after it. If there are faults, takes only one, because its attempt can change which one comes next.
 */
export async function takeJobs(
  work: UnitOfWork,
  target: string,
  addressOf: (target: string) => URL | null,
  count: number,
): Promise<readonly DeliveryJob[]> {
  if (count === 0) return []
  const most = count > 1 && (await faults.isAnyOn(work.db, 'webhook')) ? 1 : count
  for (;;) {
    const taken = await deliveries.takeNext(work.db, target, work.now, most)
    if (taken.length === 0) return []
    const jobs: DeliveryJob[] = []
    for (const delivery of taken) {
      const job = await applyFault(work, delivery, addressOf)
      if (job) jobs.push(job)
    }
    if (jobs.length > 0) return jobs
  }
}

/** Applies a fault to a delivery that was taken. Returns `undefined` if the fault delays it. */
async function applyFault(
  work: UnitOfWork,
  taken: Delivery,
  addressOf: (target: string) => URL | null,
): Promise<DeliveryJob | undefined> {
  const route = await resolveRoute(work, taken.target, addressOf)
  // Either a process ended while it was sending the delivery, or a fault has delayed or created the delivery. It keeps this
  // fault, and no other is applied.
  if (taken.fault !== null) {
    return { delivery: taken, effect: effectOfEarlierFault(taken), isNewFault: false, ...route }
  }
  const { effect, mark } = await faults.applyFault(work.db, {
    on: 'webhook',
    accountId: taken.accountId,
    targets: () => spellingsOf(taken.target, route, addressOf),
  })
  if (!mark) return { delivery: taken, effect: undefined, isNewFault: false, ...route }
  const delivery = { ...taken, fault: mark }
  if (effect?.kind === 'delay' || effect?.kind === 'reorder') {
    await delayDelivery(work, delivery, effect.ms)
    return undefined
  }
  await deliveries.save(work.db, delivery)
  return { delivery, effect, isNewFault: true, ...route }
}

type Route = Pick<DeliveryJob, 'epoch' | 'mappedTo' | 'url' | 'egressRules'>

async function resolveRoute(
  { db }: UnitOfWork,
  target: string,
  addressOf: (target: string) => URL | null,
): Promise<Route> {
  const rules = await egressRules.read(db)
  const mappedTo = applyMaps(target, rules.maps)?.to
  const url = addressOf(mappedTo ?? target)
  return { epoch: await epoch.current(db), mappedTo, url, egressRules: rules }
}

/** All spellings of a target, for comparison with the `target` of a fault. */
function spellingsOf(
  target: string,
  { mappedTo, url }: Route,
  addressOf: (target: string) => URL | null,
): string[] {
  const sentTo = url?.href ?? mappedTo ?? target
  const spellings =
    mappedTo === undefined ? [sentTo, target] : [sentTo, addressOf(target)?.href ?? target, target]
  return [...spellings, ...spellings.filter(hasCredentials).map((one) => splitCredentials(one).url.href)]
}

/** The effect of a fault that was applied earlier. A delay is over by now, and a copy is not copied again. */
function effectOfEarlierFault({ cause, fault }: Delivery): EffectByPoint['webhook'] | undefined {
  const effect = fault === null ? undefined : parseEffect('webhook', fault.effect)
  switch (effect?.kind) {
    case 'pass':
    case 'delay':
    case 'reorder':
    case undefined:
      return undefined
    case 'duplicate':
      return cause === 'duplicate' ? undefined : effect
    default:
      return effect
  }
}

async function delayDelivery({ db, now, record }: UnitOfWork, delivery: Delivery, ms: number): Promise<void> {
  const nextAttemptAt = new Date(Date.parse(now) + ms).toISOString()
  await deliveries.save(db, { ...delivery, state: 'pending', nextAttemptAt })
  await record({ type: 'delivery.delayed', ...deliverySubject(delivery), nextAttemptAt })
}
