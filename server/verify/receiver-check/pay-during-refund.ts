import { CaseFailure, type CaseTools } from './case-tools.ts'
import { SETTLING_MS } from './time-limit.ts'
import { MORE } from './two-links.ts'

/** How long the service takes to answer the refund. */
const ANSWER_AFTER_MS = 1_000

/** While the service takes long to answer a refund, the customer also pays the older link of the order. The refund must not undo this payment. */
export async function payDuringRefund(tools: CaseTools): Promise<void> {
  if (!tools.orders.canOrderAgain || !tools.orders.canChooseAmounts) return
  const older = await tools.make()
  const newer = await tools.orders.again(older, older.amount + MORE)
  if (newer === undefined || newer.amount === older.amount) return
  await tools.pay(newer)
  const before = await tools.waitForState(newer, ({ paid }) => paid)
  const { received = 0, refunded } = before
  if (!before.paid || received === 0 || refunded === undefined) return
  const undo = await tools.sandbox.delayAnswer(newer.accountId, ANSWER_AFTER_MS, 'refundPayment')
  try {
    const click = tools.tryRefund(newer)
    const isUnderway = await tools.waitForRefund(newer)
    if (isUnderway) await tools.pay(older)
    const during = await tools.waitForState(
      newer,
      (state) => (state.received ?? 0) > received,
      ANSWER_AFTER_MS,
    )
    await click
    if (!isUnderway || (during.received ?? 0) <= received) return
  } finally {
    await undo()
  }
  await tools.waitForState(newer, (state) => state.refunded !== refunded, SETTLING_MS)
  await tools.waitForOtherOrder()
  // An app may subtract refunds from what it has received, but then the sum differs.
  if ((await tools.read(newer)).received !== received) return
  const seen = `an order had received ${received}. While the service answered its refund, another payment came, and the order had received more. After the refund, it has received ${received} again`
  throw new CaseFailure({ problem: 'wrong-record', seen }, newer)
}
