import { type CallerContext, CallerFailure } from '../caller-case.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import { pageSays, visibleText } from '../../app/orders/page-says.ts'
import { openUntil } from './freshness.ts'
import { payOrder, placeGoodOrder } from '../orders/pay-order.ts'
import { openReturnPage } from '../orders/place-order.ts'

/** Whether a page says `--paid-text`. A script of a page may contain the texts of all states, so it counts only in shops whose pages need it. */
export async function saysPaidText(context: CallerContext, page: PageAnswer): Promise<boolean> {
  const { paidText } = context.options
  if (paidText === undefined) return false
  if (pageSays(visibleText(page), paidText)) return true
  if (!pageSays(page.text, paidText)) return false
  context.hiddenPaidText.counts ??= isOnlyInScripts(context, paidText).catch((error: unknown) => {
    if (error instanceof NotPossibleError || error instanceof CallerFailure) return false
    throw error
  })
  return context.hiddenPaidText.counts
}

/** Whether the page of a paid order has the text only where no reader sees it, and the page of an unpaid order does not have it at all. */
async function isOnlyInScripts(context: CallerContext, paidText: string): Promise<boolean> {
  const { signal } = context.options
  const placed = await placeGoodOrder(context)
  const open = (): Promise<PageAnswer> =>
    openReturnPage(context, placed.links[0]!, { cookies: placed.cookies })
  if (pageSays((await open()).text, paidText)) return false
  await payOrder(context, placed)
  const page = await openUntil(open, ({ text }) => pageSays(text, paidText), signal)
  return pageSays(page.text, paidText) && !pageSays(visibleText(page), paidText)
}
