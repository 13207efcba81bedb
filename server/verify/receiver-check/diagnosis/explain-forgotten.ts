import type { CheckedOrder, CheckResult, Fact, ReceiverProblem } from '../../../contract/checks/check.ts'
import type { CaseContext } from '../case-context.ts'
import { checkAnswer } from '../../app/state/check-answer-and-order.ts'
import { unlessNoOrder } from '../../app/run/check-error.ts'
import { sendGoodWebhook } from '../webhooks/send.ts'

/** What happens if an app no longer knows an order. */
const FORGOTTEN: ReadonlySet<ReceiverProblem | null> = new Set(['not-accepted', 'not-paid'])

const NAME = 'good webhooks after the cases'

const RESTART = 'killed-after-answer'

/**
 * If the app has refused the payment of an order that was only old, finds out whether it refuses all payments of orders from before its
 * start, and otherwise those of older orders. Adds this fact to the results of all cases that failed with the same status.
 */
export async function explainForgotten(
  context: CaseContext,
  results: readonly CheckResult[],
): Promise<readonly CheckResult[]> {
  const late = results.find(({ name }) => name === 'late-payment')
  const { paidLate, unreachableSince } = context
  if (late === undefined || !isForgotten(late) || paidLate === undefined || unreachableSince !== undefined)
    return results
  const status = late.exchange?.response?.status ?? 0
  if (status < 400) return results
  // If the app gets the payment of the same order right now, the age of the order was not the reason.
  if ((await accepts(context, paidLate)) || (await context.watch?.becomesPaid(paidLate))) return results
  if (results.some(({ name }) => name === RESTART) && (await refusesAfterStart(context))) return results
  const order = await place(context)
  if (order === undefined || !(await accepts(context, order))) return results
  return results.map((result) =>
    isForgotten(result) && result.exchange?.response?.status === status
      ? { ...result, fact: OLDER_REFUSED }
      : result,
  )
}

const isForgotten = ({ outcome, problem, isLate, fact }: CheckResult): boolean =>
  outcome === 'failed' && FORGOTTEN.has(problem) && isLate !== true && fact === undefined

/** Whether the app refuses the payment of an order that it got right before its start. */
async function refusesAfterStart(context: CaseContext): Promise<boolean> {
  if (context.app === undefined) return false
  const order = await place(context)
  await context.app.restart()
  return order !== undefined && !(await accepts(context, order))
}

const place = async ({ orders }: CaseContext): Promise<CheckedOrder | undefined> =>
  orders.make({ name: NAME }).catch(unlessNoOrder)

/** Whether the app accepts the payment of an order. */
async function accepts(context: CaseContext, order: CheckedOrder): Promise<boolean> {
  const probes = await sendGoodWebhook(context, order, NAME)
  return probes.every((probe) => checkAnswer('accepted', probe, { isStateKnown: true }) === undefined)
}

const OLDER_REFUSED: Fact = {
  title: 'Your app accepts the payment of a new order, and refuses that of an older one',
  remedy:
    'Find the order of a webhook, however old it is and however many came after it. A link can be paid until it is cancelled, and a bank transfer can take days. If goods are no longer there, accept the webhook and refund the payment.',
}
