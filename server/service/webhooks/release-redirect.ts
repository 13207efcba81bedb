import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { mapRedirect } from '../../domain/network/origin-map.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../store/store.ts'

/** Releases the redirect that waited for webhooks, if this was the last of them. The checkout then sends the browser there. */
export async function releaseRedirect(
  work: UnitOfWork,
  { linkId, redirect }: Pick<Delivery, 'linkId' | 'redirect'>,
): Promise<void> {
  // A bank transfer stores no redirect here: the waiting page polls, and redirects its browser itself.
  if (redirect === null || (await deliveries.isRedirectWaiting(work.db, linkId))) return
  const maps = await egressRules.maps(work.db)
  await work.record({ type: 'redirect.sent', ...mapRedirect(redirect, maps) })
}
