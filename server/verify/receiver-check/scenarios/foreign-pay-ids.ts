import type { CheckedOrder } from '../../../contract/checks/check.ts'
import type { PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import { CaseFailure, checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { pageSays } from '../../app/orders/page-says.ts'
import { isAskedFor } from '../../app/run/sandbox-port.ts'
import { SETTLING_MS } from '../../app/run/time-limit.ts'

/** A customer returns with `status=Success` and the `pay_id` of someone else, whose webhook comes later, or has come. */
export async function returnWithForeignPayId(tools: CaseTools): Promise<void> {
  await claimPayment(tools)
  const paid = await tools.make()
  await tools.post(paid)
  await tools.expectPaid(paid)
  const order = await tools.make()
  const page = await tools.browse({ ...order, payId: paid.payId }, 'Success')
  await tools.waitForOtherOrder()
  await tools.expectNow(order, 'unpaid')
  const note = tools.orders.noteOf(paid)
  if (note === undefined || !pageSays(page.text, note)) return
  const seen = `the page of an order shows the order of someone else if the address has its pay_id: ${page.url}`
  throw new CaseFailure({ problem: 'leaked-order', seen }, order)
}

/** A customer returns with the `pay_id` of someone else, before the webhook of this payment comes. */
async function claimPayment(tools: CaseTools): Promise<void> {
  const [order, other] = [await tools.make(), await tools.make()]
  const since = await tools.now()
  await tools.browse({ ...order, payId: other.payId }, 'Success')
  await checkWith('the page of another order was opened with the pay_id of a payment, and', async () => {
    await tools.post(other)
    await tools.waitForOtherOrder()
    await tools.expectNow(order, 'unpaid')
    await tools.expectPaid(other)
  })
  const calls = await tools.sandbox.resendCalls(since, order.accountId)
  if (isAskedFor(calls, order, 'Success') || isAskedFor(calls, other, 'Success'))
    await expectNoForeignRequest(tools, order)
}

/**
 * Opens return pages with the pay_id of someone else, and looks for calls of `sendWebhookViaPayId`. An app may ask for the webhook of a
 * customer who returns first. Throws if it also takes the status from the address, and so lets anyone choose what the service sends.
 */
async function expectNoForeignRequest(tools: CaseTools, { accountId }: CheckedOrder): Promise<void> {
  const isAskedAfterVisit = async (status: PaymentOutcome): Promise<boolean> => {
    const since = await tools.now()
    const [order, other] = [await tools.make(), await tools.make()]
    await tools.browse({ ...order, payId: other.payId }, status)
    await tools.waitForOtherOrder()
    const calls = await tools.sandbox.resendCalls(since, order.accountId)
    return isAskedFor(calls, order, status) || isAskedFor(calls, other, status)
  }
  if (!(await isAskedAfterVisit('Success'))) return
  if (!(await isAskedAfterVisit('cancel'))) return expectNoPaymentByVisit(tools, accountId)
  const seen =
    'the return page of an unpaid order was opened with the pay_id of another one, and the app called sendWebhookViaPayId with the status in the address, Success or cancel'
  throw new CaseFailure({ problem: 'unpaid-webhook', seen }, await tools.make())
}

/** Opens the return page of an unpaid order while the service sends the webhook `Success` of unpaid links. Throws if this pays the order. */
async function expectNoPaymentByVisit(tools: CaseTools, account: string): Promise<void> {
  const undo = await tools.sandbox.sendUnpaid(account)
  try {
    const order = await tools.make()
    await tools.browse(order, 'Success')
    if (!(await tools.waitForState(order, ({ paid }) => paid, SETTLING_MS)).paid) return
    const seen =
      'nobody has paid the order, its return page was opened, and the order is paid: the app asked for its webhook with the status Success, and the service sent it, as it does with the behavior resendUnpaid=send'
    throw new CaseFailure({ problem: 'unpaid-webhook', seen }, order)
  } finally {
    await undo()
  }
}
