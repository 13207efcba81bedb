import { setTimeout as pause } from 'node:timers/promises'
import type { CheckResult } from '../../../contract/checks/check.ts'
import { unlessNoOrder } from '../../app/run/check-error.ts'
import type { Advice } from '../../mistakes/find-mistakes.ts'
import type { CaseContext } from '../case-context.ts'
import { sendGoodWebhook } from '../webhooks/send.ts'

const NAME = 'a payment some seconds after the order'

const LATER_MS = 3_000

/** If no good webhook pays its order, pays one some seconds after it was placed. An app may store an order only after its answer. */
export async function findTooEarly(
  context: CaseContext,
  results: readonly CheckResult[],
): Promise<Advice | undefined> {
  const { acceptedEncoding, orders, watch, unreachableSince } = context
  const problem = acceptedEncoding.failureWith('form')?.problem
  const hasFailed =
    (problem === 'not-paid' || problem === 'not-accepted') && acceptedEncoding.known() === undefined
  if (results.some(({ fact }) => fact !== undefined)) return undefined
  if (watch === undefined || !hasFailed || unreachableSince !== undefined || !orders.appMakesOrders)
    return undefined
  const order = await orders.make({ name: NAME }).catch(unlessNoOrder)
  if (order === undefined) return undefined
  await pause(LATER_MS, undefined, { signal: context.options.signal })
  await sendGoodWebhook(context, order, NAME)
  return (await watch.becomesPaid(order)) ? TOO_EARLY : undefined
}

const TOO_EARLY: Advice = {
  title: 'A payment right after the order is lost, and one that comes some seconds later is not',
  text: 'Store the order before you call createLink. A webhook can come before your app has the answer to this call. If your app does not know the order of a webhook yet, keep the webhook until it does.',
  isForAll: true,
}
