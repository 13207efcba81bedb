import type { ActiveBehaviors } from '../../../domain/behaviors/behavior.ts'
import type { Link } from '../../../domain/links/link.ts'
import { linkSubject } from '../../../domain/links/subject.ts'
import { mapRedirect } from '../../../domain/network/origin-map.ts'
import { omitUndefined } from '../../../domain/text/omit-undefined.ts'
import {
  isRedirectAmbiguous,
  redirectLocation,
  type BrowserRedirect,
} from '../../../domain/webhooks/redirect.ts'
import { spellStatus, type PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import * as egressRules from '../../../store/repositories/egress-rules.ts'
import * as faults from '../../../store/repositories/faults.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { Browser, PaymentResult, PlannedRedirect, RedirectTarget } from './payment-result.ts'

/** Decides where the browser goes after an outcome, and what a fault changes. Returns `null` without a callback URL. */
export async function planRedirect(
  work: UnitOfWork,
  link: Link,
  outcome: PaymentOutcome,
  browser: Browser,
  behaviors: ActiveBehaviors,
): Promise<PlannedRedirect | null> {
  if (link.callbackUrl === '') return null

  const status = spellStatus(outcome, behaviors.use('statusText'))
  if (isRedirectAmbiguous(link.callbackUrl)) behaviors.markAssumptions('redirectQuery')
  // A browser that closes makes no redirect, so no fault is used up.
  const { effect, mark } =
    browser === 'returns'
      ? await faults.applyFault(work.db, { on: 'redirect', accountId: link.accountId })
      : NO_FAULT
  const location = redirectLocation(
    link.callbackUrl,
    effect?.kind === 'pay-id' ? effect.text : link.payId,
    effect?.kind === 'status' ? effect.text : status,
  )
  const fault = mark === undefined ? {} : { fault: mark }
  return {
    redirect: { ...linkSubject(link), location, status, assumed: behaviors.used, ...fault },
    isLost: browser === 'closes' || effect?.kind === 'lost',
  }
}

const NO_FAULT = { effect: undefined, mark: undefined }

/** Records that the browser is sent back to the shop, or that it was closed before. */
export async function sendRedirect(
  work: UnitOfWork,
  planned: PlannedRedirect | null,
): Promise<Pick<PaymentResult, 'redirect' | 'lost'>> {
  if (planned === null) return { redirect: null, lost: null }
  const { isLost } = planned
  const redirect = mapRedirect(planned.redirect, await egressRules.maps(work.db))
  await work.record({ type: isLost ? 'redirect.lost' : 'redirect.sent', ...redirect })
  return isLost ? { redirect: null, lost: toTarget(redirect) } : { redirect: toTarget(redirect), lost: null }
}

/** The address that a redirect leads to now. */
export async function resolveRedirect(
  { db }: Pick<UnitOfWork, 'db'>,
  redirect: BrowserRedirect,
): Promise<RedirectTarget> {
  return toTarget(mapRedirect(redirect, await egressRules.maps(db)))
}

const toTarget = ({ location, mappedFrom }: BrowserRedirect): RedirectTarget => ({
  location,
  ...omitUndefined({ mappedFrom }),
})

/** Records that the browser was closed while its redirect waited for these webhooks. The webhooks are sent anyway. */
export async function loseRedirect(work: UnitOfWork, deliveryIds: readonly number[]): Promise<void> {
  const [first] = await deliveries.clearOrder(work.db, deliveryIds)
  if (!first?.redirect) return
  const redirect = mapRedirect(first.redirect, await egressRules.maps(work.db))
  await work.record({ type: 'redirect.lost', ...redirect })
}

/**
 * Drops every redirect that waits, after a start or a restored snapshot: its browser is no longer connected. The page
 * that waits for a bank transfer is not affected, because it polls and gets its own redirect.
 */
export async function dropWaitingRedirects(work: UnitOfWork): Promise<void> {
  const deliveryIdsByLink = new Map<number, number[]>()
  for (const { id, linkId, order, redirect } of await deliveries.listInOrder(work.db)) {
    if (order === 'redirect-first') await deliveries.clearOrder(work.db, [id])
    else if (redirect !== null) deliveryIdsByLink.set(linkId, [...(deliveryIdsByLink.get(linkId) ?? []), id])
  }
  for (const deliveryIds of deliveryIdsByLink.values()) await loseRedirect(work, deliveryIds)
}
