import type { CheckResult, Fact } from '../../../contract/checks/check.ts'
import type { CaseContext } from '../case-context.ts'
import { unlessNoOrder } from '../../app/run/check-error.ts'
import { sendGoodWebhook } from '../webhooks/send.ts'
import { SETTLING_MS } from '../../app/run/time-limit.ts'

const NAME = 'payments one after another'

/** Amounts that no case uses, in the sequence of the payments. */
const AMOUNTS = [31.17, 31.17, 31.19, 31.27, 31.27, 31.29]

/** If so many payments have not paid their orders, the reason is not in what a single case does. */
const MANY = 3

/**
 * If many payments have not paid their orders, finds out whether only the first of several payments with the same amount counts. Adds this
 * fact to the results of all cases that failed in this way.
 */
export async function explainEqualAmounts(
  context: CaseContext,
  results: readonly CheckResult[],
): Promise<readonly CheckResult[]> {
  const { orders, unreachableSince } = context
  if (results.filter(isUnpaid).length < MANY || !orders.canChooseAmounts || unreachableSince !== undefined)
    return results
  if (!(await areRepetitionsLost(context))) return results
  return results.map((result) => (isUnpaid(result) ? { ...result, fact: EQUAL_AMOUNTS } : result))
}

const isUnpaid = ({ problem, isLate, fact }: CheckResult): boolean =>
  problem === 'not-paid' && isLate !== true && fact === undefined

/** Whether each payment counts unless another one had the same amount just before. */
async function areRepetitionsLost(context: CaseContext): Promise<boolean> {
  const { orders, watch } = context
  if (watch === undefined) return false
  const placed = await Promise.all(
    AMOUNTS.map((amount) => orders.make({ name: NAME, wantedOrder: { amount } }).catch(unlessNoOrder)),
  )
  const ofAmount = placed.filter((order, index) => order?.amount === AMOUNTS[index])
  const usable = ofAmount.filter((order) => order !== undefined)
  if (usable.length < AMOUNTS.length) return false
  for (const order of usable) await sendGoodWebhook(context, order, NAME)
  const arePaid = await Promise.all(
    usable.map(async (order) => {
      const state = await watch.waitUntil(order, ({ paid }) => paid, SETTLING_MS)
      return 'paid' in state && state.paid
    }),
  )
  return arePaid.every((isPaid, index) => isPaid === (AMOUNTS[index] !== AMOUNTS[index - 1]))
}

const EQUAL_AMOUNTS: Fact = {
  title: 'If two customers pay the same amount within seconds, only the first payment counts',
  remedy:
    'Recognize a webhook that comes again by its pay_id, not by its amount and time. Many customers can pay the same amount at the same moment.',
}
