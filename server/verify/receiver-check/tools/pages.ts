import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { redirectLocation } from '../../../domain/webhooks/redirect.ts'
import type { PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import {
  isEmptyPage,
  openPage,
  type PageAnswer,
  refererOf,
  returnPageOf,
} from '../../app/orders/open-page.ts'
import { late } from '../../app/run/failure.ts'
import { needCallback } from '../../app/run/not-possible.ts'
import type { CaseContext } from '../case-context.ts'
import { CaseFailure } from '../case-failure.ts'
import type { Participant } from '../webhooks/meeting.ts'

const TABS = 4

/** Opens the pages to which customers return. */
export function createPageTools(context: CaseContext, name: string, meeting: Participant) {
  const { options, orders, sandbox } = context

  /** Opens the page that the customer's browser is redirected to. Checks that it works. */
  async function browse(
    order: CheckedOrder,
    status: PaymentOutcome | 'none',
    together?: Participant,
  ): Promise<PageAnswer> {
    const page = returnPageOf(order)
    needCallback(page)
    if (status === 'cancel' || context.cancelledLinks.has(order.id)) context.revisitedLinks.add(order.id)
    const url = status === 'none' ? page : redirectLocation(page, order.payId, status)
    const answer = await openPage({ options, shown: context.shown }, url, {
      cookies: orders.cookiesOf(order),
      isPatient: true,
      firstRequest:
        together &&
        (async (cookie) => sandbox.visit(url, { check: name, cookie, atOnce: await together.join(1) })),
      referer: refererOf(order),
    })
    const seen = answer.error ?? `the page that the customer returned to answered ${answer.status}: ${url}`
    const problem = answer.isRedirectLoop ? 'redirect-loop' : 'page-fails'
    const failure = { problem, seen, ...late(answer.isLate === true) } as const
    if (answer.error !== null || answer.status >= 500) throw new CaseFailure(failure, order)
    return answer
  }

  /** Several tabs load the page at the same moment. Returns the page of the first tab. */
  async function browseInTabs(order: CheckedOrder, status: PaymentOutcome | 'none'): Promise<PageAnswer> {
    const atOnce = await meeting.join(TABS)
    const tab: Participant = { join: async () => atOnce, leave() {} }
    const pages = await Promise.all(Array.from({ length: TABS }, () => browse(order, status, tab)))
    return pages[0]!
  }

  return { browse, browseInTabs, assertPage }
}

/** Throws if the page for a customer who has paid does not work. `visit` says how the customer loaded it. */
function assertPage(order: CheckedOrder, answer: PageAnswer, visit = ''): void {
  const { status, url } = answer
  if (status < 400 && !isEmptyPage(answer)) return
  const page = status < 400 ? `is empty (${status})` : `answered ${status}`
  const seen = `after the payment, the page that the customer returned to ${page}${visit}: ${url}`
  throw new CaseFailure({ problem: 'page-fails', seen }, order)
}
