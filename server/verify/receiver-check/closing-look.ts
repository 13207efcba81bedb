import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import { type CaseTools, CaseFailure, checkWith } from './case-tools.ts'
import { NotPossible } from './not-possible.ts'
import type { RememberedOrder } from './case-context.ts'

/** After this time, timers of the app that cancel, repeat or forget something have certainly run. */
const AGE_MS = 6_000

/** How many orders of each state are read once more. */
const MAX_ORDERS = 15

/** Waits until the check is old enough to show what timers of the app do. */
async function waitForAge({ context: { startedAt, options } }: CaseTools): Promise<void> {
  const left = startedAt + AGE_MS - performance.now()
  if (left > 0) await pause(left, undefined, options.signal === undefined ? {} : { signal: options.signal })
}

/**
 * Reads the orders of the other cases once more. Then repeats the webhooks of paid orders, sends late cancels, and loads the
 * customers' pages.
 */
export async function lookAgain(tools: CaseTools): Promise<void> {
  const { remembered } = tools.context
  const ofState = (state: RememberedOrder['state']) =>
    remembered.filter((one) => one.state === state).slice(0, MAX_ORDERS)
  if (remembered.length === 0) {
    const order = await tools.make()
    await tools.post(order)
    await tools.expectPaid(order)
    remembered.push({ order, state: 'paid-once' })
  }
  await waitForAge(tools)
  const orders = [...ofState('unpaid'), ...ofState('paid-once')]
  await Promise.all(orders.map(({ order, state }) => later(() => tools.expectNow(order, state, true))))
  await Promise.all(orders.map(({ order, state }) => returnLate(tools, order, state)))
  await tools.waitForOtherOrder()
  await Promise.all(orders.map(({ order, state }) => later(() => tools.expectNow(order, state, true))))
}

async function returnLate(
  tools: CaseTools,
  order: CheckedOrder,
  state: RememberedOrder['state'],
): Promise<void> {
  if (state === 'paid-once') {
    await tools.post(order)
    await tools.post(order, { status: 'cancel' })
  }
  if (order.callbackUrl !== '' && tools.orders.appMakesOrders)
    await tools.browse(order, state === 'unpaid' ? 'Success' : 'cancel')
}

const later = (check: () => Promise<void>): Promise<void> => checkWith('at the end of the check', check)

/** Pays the first order of the check, which is still unpaid. */
export async function payLate(tools: CaseTools): Promise<void> {
  const order = tools.context.untouched
  if (order === undefined) throw new NotPossible('no order was left unpaid at the beginning of the check')
  await waitForAge(tools)
  await tools.post(order)
  await tools.expectPaid(order)
}

/** Compares the number of links with the number of orders. */
export async function countLinks(tools: CaseTools): Promise<void> {
  const { context, sandbox, orders } = tools
  const account = orders.knownAccount()
  if (account === undefined || context.untouched === undefined) {
    throw new NotPossible('the app has made no orders', 'order')
  }
  await waitForAge(tools)
  const { links } = await sandbox.seenAfter(context.startSeq, account)
  const submissions = orders.submissions()
  // The page of a cancelled order may offer a new link.
  if (links.length <= submissions + context.revisitedLinks.size) return
  const seen = `the app created ${links.length} links for ${submissions} orders`
  throw new CaseFailure({ problem: 'unasked-link', seen }, context.untouched)
}
