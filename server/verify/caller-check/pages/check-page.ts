import { randomUUID } from 'node:crypto'
import { createCookieJar } from '../../app/orders/cookie-jar.ts'
import { isEmptyPage, openPage, type PageAnswer } from '../../app/orders/open-page.ts'
import { visibleText } from '../../app/orders/page-says.ts'
import { type CallerContext, CallerFailure } from '../caller-case.ts'
import { describePage } from '../orders/check-order.ts'
import { saysPaidText } from './says-paid-text.ts'

/** Throws if something is wrong with a page that the customer has returned to. */
export async function checkPage(
  context: CallerContext,
  page: PageAnswer,
  isPaid: boolean | 'underway',
): Promise<void> {
  if (page.isRedirectLoop) throw new CallerFailure({ problem: 'redirect-loop', seen: describePage(page) })
  const seenPage = `the page that the customer returned to: ${describePage(page)}`
  if (page.error !== null) throw new CallerFailure({ problem: 'no-answer', seen: seenPage })
  if (page.status >= 500 || (await isNowhere(context, page)))
    throw new CallerFailure({ problem: 'page-fails', seen: seenPage })
  if (isPaid === true && page.status >= 400 && ![401, 403].includes(page.status)) {
    const seen = `the page that a paying customer returned to: ${describePage(page)}`
    throw new CallerFailure({ problem: 'page-fails', seen })
  }
  if (isPaid === true && isEmptyPage(page)) {
    const seen = `the page that a paying customer returned to is empty: ${page.url}`
    throw new CallerFailure({ problem: 'page-fails', seen })
  }
  if (isPaid !== false || !(await saysPaidText(context, page))) return
  const seen = `the page says ${JSON.stringify(context.options.paidText)}, and nobody has paid: ${page.url}`
  throw new CallerFailure({ problem: 'false-message', seen })
}

/** Whether a redirect leads to an address that does not exist, and not to a page that says what has become of the order. */
async function isNowhere(context: CallerContext, page: PageAnswer): Promise<boolean> {
  if (page.status !== 404 || page.redirectedBy === null) return false
  const nowhere = await openPage(context, new URL(`/${randomUUID()}`, page.url).href, {
    cookies: createCookieJar(),
  })
  return withoutPath(nowhere) === withoutPath(page)
}

const withoutPath = (page: PageAnswer): string => visibleText(page).replaceAll(new URL(page.url).pathname, '')
