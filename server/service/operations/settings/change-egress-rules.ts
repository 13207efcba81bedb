import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import { noSubject } from '../../../domain/links/subject.ts'
import { isNowAllowed, type EgressRules } from '../../../domain/network/egress-rules.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import * as egressRules from '../../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { requeue } from '../webhooks/allow-delivery.ts'

/**
 * Changes maps and allowed hosts. Queues the held webhooks that the new rules allow, oldest first, and returns them. The egress
 * policy checks each of them again, and may hold it again. A webhook that the policy is just checking is not held yet, so the
 * dispatcher compares the rules after its check.
 */
export async function changeEgressRules(
  work: UnitOfWork,
  change: (before: EgressRules) => Partial<EgressRules>,
): Promise<readonly Delivery[]> {
  const before = await egressRules.read(work.db)
  await egressRules.replace(work.db, { ...before, ...change(before) })
  const now = await egressRules.read(work.db)
  if (differs(now.maps, before.maps)) {
    await work.record({ type: 'maps.changed', ...noSubject, maps: now.maps })
  }
  if (differs(now.allowedHosts, before.allowedHosts)) {
    await work.record({ type: 'hosts.changed', ...noSubject, allowedHosts: now.allowedHosts })
  }
  const free = (await deliveries.listHeld(work.db)).filter(({ target }) => isNowAllowed(target, before, now))
  for (const held of free) await requeue(work, held, null)
  return free
}

const differs = (one: object, other: object): boolean => JSON.stringify(one) !== JSON.stringify(other)
