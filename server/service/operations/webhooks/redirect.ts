import type { ActiveBehaviors } from '../../../domain/behaviors/behavior.ts'
import type { BrowserAction, Link } from '../../../domain/links/link.ts'
import { linkSubject } from '../../../domain/links/subject.ts'
import { mapRedirect } from '../../../domain/network/origin-map.ts'
import { omitUndefined } from '../../../domain/text/omit-undefined.ts'
import {
  isRedirectAmbiguous,
  redirectLocation,
  type BrowserRedirect,
  type PlannedRedirect,
} from '../../../domain/webhooks/redirect.ts'
import { spellStatus, type PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import * as egressRules from '../../../store/repositories/egress-rules.ts'
import * as faults from '../../../store/repositories/faults.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { RedirectResult } from './payment-result.ts'

/** Decides where the browser goes after an outcome, and whether a fault changes that. `null` if there is no callback URL. */
export async function planRedirect(
  work: UnitOfWork,
  link: Link,
  outcome: PaymentOutcome,
  browser: BrowserAction,
  behaviors: ActiveBehaviors,
): Promise<PlannedRedirect | null> {
  if (link.callbackUrl === '') return null

  const status = spellStatus(outcome, behaviors.dependOn('statusText'))
  if (isRedirectAmbiguous(link.callbackUrl)) behaviors.markAssumptions('redirectQuery')
  // A closed browser is not redirected, so no use of a fault is counted.
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

/** Records that the browser is redirected to the shop, or that it was closed before. */
export async function recordRedirect(
  work: UnitOfWork,
  planned: PlannedRedirect | null,
): Promise<RedirectResult> {
  if (planned === null) return null
  const { isLost } = planned
  const redirect = mapRedirect(planned.redirect, await egressRules.maps(work.db))
  await work.record({ type: isLost ? 'redirect.lost' : 'redirect.sent', ...redirect })
  return isLost ? 'lost' : toTarget(redirect)
}

/** Where a redirect leads when the current maps are applied. */
export async function resolveRedirect(
  { db }: Pick<UnitOfWork, 'db'>,
  planned: PlannedRedirect | null,
): Promise<RedirectResult> {
  if (planned === null) return null
  return planned.isLost ? 'lost' : toTarget(mapRedirect(planned.redirect, await egressRules.maps(db)))
}

const toTarget = ({ location, mappedFrom }: BrowserRedirect): Exclude<RedirectResult, 'lost' | null> => ({
  location,
  ...omitUndefined({ mappedFrom }),
})
