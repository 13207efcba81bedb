import type { Delivery } from '../domain/webhooks/delivery.ts'
import { mapRedirect } from '../domain/network/origin-map.ts'
import * as deliveries from '../store/repositories/deliveries.ts'
import * as egressRules from '../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../store/store.ts'

/** Lets the redirect go that waited for webhooks, once this was the last of them. */
export async function releaseRedirect(
  work: UnitOfWork,
  { linkId, redirect }: Pick<Delivery, 'linkId' | 'redirect'>,
): Promise<void> {
  // The page that waits for a transfer finds out by itself, and takes its browser back.
  if (redirect === null || (await deliveries.isRedirectWaiting(work.db, linkId))) return
  const maps = await egressRules.maps(work.db)
  await work.record({ type: 'redirect.sent', ...mapRedirect(redirect, maps) })
}
