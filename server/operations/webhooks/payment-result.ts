import type { AssumptionName, ActiveBehaviors } from '../../domain/behaviors/behavior.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { linkSubject } from '../../domain/links/subject.ts'
import type { Link } from '../../domain/links/link.ts'
import { mapRedirect } from '../../domain/network/origin-map.ts'
import { redirectLocation } from '../../domain/webhooks/redirect.ts'
import { spellStatus, type PaymentOutcome } from '../../domain/webhooks/webhook.ts'
import * as faults from '../../store/repositories/faults.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../store/store.ts'

/** What follows from a customer's choice: the link as it is now, where the browser goes, what is sent. */
export interface PaymentResult {
  readonly link: Link
  /** Where the browser is sent. `null` where the link has no callback URL or the browser was closed. */
  readonly redirect: Redirect | null
  /** Where it would have been sent, had it not been closed. */
  readonly lost: Redirect | null
  readonly deliveries: readonly Delivery[]
  /** Which of redirect and webhooks the other waits for. `null` where neither does. */
  readonly order: Delivery['order']
  /** The assumptions all this rests on. */
  readonly assumed: readonly AssumptionName[]
}

interface Redirect {
  readonly location: string
  /** Where it was meant to go, where a map led it elsewhere. */
  readonly mappedFrom?: string
}

/** The customer's browser follows the redirect, or is closed before it can. */
export type Browser = 'returns' | 'closes'

/** Where a browser is to be sent before any map, as the journal tells it, and whether it gets there. */
export interface PlannedRedirect {
  readonly redirect: NonNullable<Delivery['redirect']>
  readonly isLost: boolean
}

/** Finds out where the browser goes after an outcome. `null` where the link does not say. */
export async function planRedirect(
  work: UnitOfWork,
  link: Link,
  outcome: PaymentOutcome,
  browser: Browser,
  behaviors: ActiveBehaviors,
): Promise<PlannedRedirect | null> {
  if (link.callbackUrl === '') return null

  const status = spellStatus(outcome, behaviors.use('statusText'))
  // A browser that was closed anyway is no occasion for a fault.
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

/** Sends the browser back to the shop, or records that it never got there. */
export async function sendRedirect(
  work: UnitOfWork,
  directed: PlannedRedirect | null,
): Promise<Pick<PaymentResult, 'redirect' | 'lost'>> {
  if (directed === null) return { redirect: null, lost: null }
  const { isLost } = directed
  const redirect = mapRedirect(directed.redirect, await egressRules.maps(work.db))
  await work.record({ type: isLost ? 'redirect.lost' : 'redirect.sent', ...redirect })
  return isLost
    ? { redirect: null, lost: toRedirect(redirect) }
    : { redirect: toRedirect(redirect), lost: null }
}

/** What a browser is told of a redirect. */
export const toRedirect = ({ location, mappedFrom }: Redirect): Redirect => ({
  location,
  ...omitUndefined({ mappedFrom }),
})

const NO_FAULT = { effect: undefined, mark: undefined }
