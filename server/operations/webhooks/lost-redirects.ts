import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { mapRedirect } from '../../domain/network/origin-map.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../store/store.ts'

/** The browser is gone before its redirect, which waited for these webhooks. */
export async function recordLostRedirect(work: UnitOfWork, waitedFor: readonly Delivery[]): Promise<void> {
  const ids = waitedFor.map(({ id }) => id)
  const [first] = await deliveries.clearOrder(work.db, ids)
  if (!first?.redirect) return
  const redirect = mapRedirect(first.redirect, await egressRules.maps(work.db))
  await work.record({ type: 'redirect.lost', ...redirect })
}

/**
 * Nobody waits for a redirect any more: the process that would have answered has ended, or another journal goes on.
 * Only the page that waits for a transfer asks again by itself.
 */
export async function dropWaitingRedirects(work: UnitOfWork): Promise<void> {
  const waitedFor = new Map<number, Delivery[]>()
  for (const delivery of await deliveries.listInOrder(work.db)) {
    if (delivery.order === 'redirect-first') await deliveries.clearOrder(work.db, [delivery.id])
    else if (delivery.redirect !== null) {
      waitedFor.set(delivery.linkId, [...(waitedFor.get(delivery.linkId) ?? []), delivery])
    }
  }
  for (const ofLink of waitedFor.values()) await recordLostRedirect(work, ofLink)
}
