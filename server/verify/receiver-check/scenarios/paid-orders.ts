import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { CaseFailure } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { needTargets } from '../../app/run/not-possible.ts'
import { SETTLING_MS } from '../../app/run/time-limit.ts'
import type { Count, ReadState } from '../../app/state/read-order-state.ts'

/** Pays an order at the sandbox, so that it can be refunded. */
export async function payAtSandbox(tools: CaseTools, order: CheckedOrder): Promise<CheckedOrder> {
  needTargets(order)
  await tools.sandbox.pay(order)
  await tools.expectPaid(order)
  return order
}

export const paidOrder = async (
  tools: CaseTools,
  wantedOrder?: { readonly amount: number },
): Promise<CheckedOrder> => payAtSandbox(tools, await tools.make({ wantedOrder }))

/** Checks an order that must be paid, and that nobody refunds. If it is unpaid because the app refunds it, says so. */
export async function checkUnlessRefunded(
  tools: CaseTools,
  order: CheckedOrder,
  check: () => Promise<void>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    const problem = error instanceof CaseFailure ? error.seenProblem.problem : undefined
    if (problem === 'not-kept') await tools.waitForRefund(order, SETTLING_MS)
    if (problem === 'not-kept' || problem === 'not-paid') await tools.expectNoRefund(order)
    throw error
  }
}

/** Throws if the app does not request the refund of a payment. */
export async function expectRefund(tools: CaseTools, order: CheckedOrder): Promise<void> {
  if (await tools.waitForRefund(order)) return
  throw await tools.missingRefund(order)
}

/** Whether the name or the refunded amount differs between two states. */
export const isNoted = (before: ReadState, after: ReadState): boolean =>
  before.value !== after.value || before.refunded !== after.refunded

export const isFulfilled = ({ counts }: ReadState): boolean => counts.every(({ value }) => value > 0)

const isRaised =
  (before: ReadState) =>
  ({ value }: Count, index: number): boolean =>
    value > (before.counts[index]?.value ?? 0)

/** A count that is higher than before, such as the number of parcels. */
export const raisedCount = (before: ReadState, { counts }: ReadState): Count | undefined =>
  counts.find(isRaised(before))

/** Whether every count is higher than before. */
export const isFulfilledAgain = (before: ReadState, { counts }: ReadState): boolean =>
  counts.every(isRaised(before))
