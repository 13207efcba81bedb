import { parseHost } from '../../../domain/network/allowed-host.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import { deliverySubject } from '../../../domain/webhooks/delivery.ts'
import { applyMaps, type OriginMap } from '../../../domain/network/origin-map.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import * as egressRules from '../../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Sends a held webhook once, even though its host is not allowed. */
export async function allowDelivery(work: UnitOfWork, held: Delivery): Promise<Delivery> {
  if (held.state !== 'held') {
    throw apiError('notHeld', held.state, held.id)
  }
  return requeue(work, held, currentHost(held, await egressRules.maps(work.db)))
}

/** Sends all webhooks once that are held for a host, of one account or of all. Returns their number. */
export async function allowAllTo(
  work: UnitOfWork,
  host: string,
  accountId: string | undefined,
): Promise<number> {
  const matching = (await listHeld(work, accountId)).filter((held) => held.host === host)
  for (const { delivery } of matching) await requeue(work, delivery, host)
  return matching.length
}

/** The hosts of held webhooks, of one account or of all. */
export async function listHeldHosts(
  work: UnitOfWork,
  accountId: string | undefined,
): Promise<readonly string[]> {
  const hosts = (await listHeld(work, accountId)).map(({ host }) => host)
  return [...new Set(hosts)].filter((host) => host !== null)
}

async function listHeld(work: UnitOfWork, accountId: string | undefined) {
  const maps = await egressRules.maps(work.db)
  return (await deliveries.listHeld(work.db))
    .filter((held) => accountId === undefined || held.accountId === accountId)
    .map((delivery) => ({ delivery, host: currentHost(delivery, maps) }))
}

/** Queues a held webhook again, and allows it to the host `to`. If `to` is `null`, the egress policy decides again. */
export async function requeue(work: UnitOfWork, held: Delivery, to: string | null): Promise<Delivery> {
  const pending: Delivery = { ...held, state: 'pending', allowedTo: to ?? held.allowedTo }
  await deliveries.save(work.db, pending)
  await work.record({ type: 'delivery.allowed', ...deliverySubject(pending) })
  return pending
}

/** The current host of a target, after maps. */
const currentHost = ({ target }: Delivery, maps: readonly OriginMap[]): string | null =>
  parseHost(applyMaps(target, maps)?.to ?? target)
