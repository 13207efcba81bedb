import { judgeOrder as judgeState } from '../receiver-check/judge.ts'
import {
  NotPossible,
  type Answer,
  type CallerContext,
  type Failure,
  type PlacedOrder,
} from './caller-case.ts'
import { pageSays } from './page-says.ts'
import { createOrder, openReturnPage, placeOrder } from './place-order.ts'
import { describeAnswer } from './judge-order.ts'

/** An order whose link can be paid. */
export async function placeGoodOrder(context: CallerContext): Promise<PlacedOrder> {
  const placed = await placeOrder(context, createOrder())
  if (placed.links.length > 0) return placed
  throw new NotPossible('the app created no link this time')
}

/** Pays the link of an order, and waits until the app knows. The browser is closed. */
export async function payOrder(
  { sandbox, watch }: CallerContext,
  { links }: PlacedOrder,
): Promise<Failure | undefined> {
  const link = links[0]!
  if (link.targets.length === 0) {
    throw new NotPossible('no webhook can arrive, because the link of the order has no payment_endpoint')
  }
  await sandbox.pay(link)
  if (watch === undefined) return undefined
  const judged = judgeState('paid', await watch.waitUntilPaid(link), watch.source(link))
  return judged && { problem: 'wrong-state', seen: judged.seen }
}

/** The customer returns to the shop with a status. Returns what is wrong with the page. */
async function returnToShop(
  context: CallerContext,
  { links, cookies }: PlacedOrder,
  isPaid: boolean,
): Promise<Failure | undefined> {
  const page = await openReturnPage(context, links[0]!, { cookies, status: 'Success' })
  if ('whyNot' in page) throw new NotPossible(`no customer can return: ${page.whyNot}`)
  return judgePage(context, page, isPaid)
}

function judgePage(
  { options: { paidText } }: CallerContext,
  page: Answer,
  isPaid: boolean,
): Failure | undefined {
  if (page.error !== null || page.status >= 500) {
    return { problem: 'no-answer', seen: `the page that the customer returned to: ${describeAnswer(page)}` }
  }
  if (isPaid || paidText === undefined || !pageSays(page.text, paidText)) return undefined
  return {
    problem: 'false-message',
    seen: `the page says ${JSON.stringify(paidText)}, and nobody has paid: ${page.url}`,
  }
}

/** The customer returns, then pays. As the app sees it, the redirect arrives before the webhook. */
export async function returnBeforeWebhook(context: CallerContext): Promise<Failure | undefined> {
  const placed = await placeGoodOrder(context)
  // The customer has paid, and only the webhook is still underway. A page that says so is not judged here.
  return (await returnToShop(context, placed, true)) ?? payOrder(context, placed)
}

/** The customer pays, and returns several times afterwards. */
export async function payAndReturn(context: CallerContext, times: number): Promise<Failure | undefined> {
  const placed = await placeGoodOrder(context)
  const failure = await payOrder(context, placed)
  if (failure !== undefined) return failure
  for (let time = 0; time < times; time += 1) {
    const problem = await returnToShop(context, placed, true)
    if (problem !== undefined) return problem
  }
  return judgeFinalState(context, placed, 'paid')
}

/** The customer returns with the status of a payment, and has not paid. */
export async function returnForged(context: CallerContext): Promise<Failure | undefined> {
  const placed = await placeGoodOrder(context)
  return (await returnToShop(context, placed, false)) ?? judgeFinalState(context, placed, 'unpaid')
}

async function judgeFinalState(
  { watch }: CallerContext,
  { links }: PlacedOrder,
  expected: 'paid' | 'unpaid',
): Promise<Failure | undefined> {
  const link = links[0]!
  const judged = watch && judgeState(expected, await watch.read(link), watch.source(link))
  return judged && { problem: 'wrong-state', seen: judged.seen }
}
