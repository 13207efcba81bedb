import type { AssumptionName, InForce } from '../domain/behavior.ts'
import type { Delivery } from '../domain/delivery.ts'
import { aboutLink } from '../domain/events.ts'
import type { Link } from '../domain/link.ts'
import { redirectLocation } from '../domain/redirect.ts'
import { spell, type Outcome } from '../domain/webhook.ts'
import type { Work } from '../store/store.ts'

/** What follows from a customer's choice: the link as it is now, where the browser goes, what is sent. */
export interface Consequence {
  readonly link: Link
  /** Where the browser is sent. `null` where the link has no callback URL or the browser was closed. */
  readonly redirect: Redirect | null
  /** Where it would have been sent, had it not been closed. */
  readonly lost: Redirect | null
  readonly deliveries: readonly Delivery[]
  /** The assumptions all this rests on. */
  readonly assumed: readonly AssumptionName[]
}

interface Redirect {
  readonly location: string
}

/** The customer's browser follows the redirect, or is closed before it can. */
export type Browser = 'returns' | 'closes'

/** Sends the browser back to the shop, or records that it never got there. */
export async function redirectBrowser(
  work: Work,
  link: Link,
  outcome: Outcome,
  browser: Browser,
  inForce: InForce,
): Promise<Pick<Consequence, 'redirect' | 'lost'>> {
  if (link.callbackUrl === '') return { redirect: null, lost: null }

  const status = spell(outcome, inForce.rely('statusText'))
  const location = redirectLocation(link.callbackUrl, link.payId, status)
  const type = browser === 'returns' ? 'redirect.sent' : 'redirect.lost'
  await work.record({ type, ...aboutLink(link), location, status, assumed: inForce.relied })
  return browser === 'returns'
    ? { redirect: { location }, lost: null }
    : { redirect: null, lost: { location } }
}
