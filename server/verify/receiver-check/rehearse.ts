import type { CheckedOrder } from '../../contract/checks/check.ts'
import { reasonOf } from '../../domain/text/reason-of.ts'
import type { CaseContext } from './case-context.ts'
import type { CheckCase } from './check-case.ts'
import { refundUrlOf } from './tools/refunds.ts'
import { requestPatiently } from '../app/orders/request-app.ts'
import { needsRefund } from './why-not-possible.ts'
import { CheckError, refundRefused } from '../app/run/check-error.ts'
import type { OrderWatch } from '../app/state/watch-order.ts'

/**
 * Before the cases run, creates one order and pays a different one. If this fails, an option is wrong, so the check ends with an
 * error that names the option. This is not a test of the app.
 */
export async function rehearse(context: CaseContext, cases: readonly CheckCase[]): Promise<void> {
  const { orders, watch, acceptedEncoding, options } = context
  if (watch === undefined || !orders.appMakesOrders) return
  const order = await orders.make({ name: 'rehearsal' })
  const state = await watch.readPatiently(order)
  if ('unknown' in state) {
    if (options.stateUrl === undefined) return
    throw new CheckError(
      `Nothing was checked, because the state of a new order cannot be read: ${state.unknown}. Correct --state-url.`,
    )
  }
  if (state.paid) {
    const value = state.value === undefined ? 'paid' : JSON.stringify(state.value)
    throw new CheckError(
      `Nothing was checked, because a new order is already paid: its state is ${value}, although nobody has paid it. Correct --paid-value or --state-pointer, or make your app create new orders unpaid.`,
    )
  }
  watch.countFrom(state)
  context.untouched = order
  const encoding = await acceptedEncoding.detect()
  if (encoding === undefined) await rejectVerifyingApp(context, watch)
  else if (options.refundUrl !== undefined && (options.quick === true || cases.some(needsRefund)))
    await rehearseRefund(context, watch)
}

/** Statuses that mean a wrong address rather than a failed refund. */
const WRONG_ADDRESS = new Set([307, 308, 401, 403, 404, 405])

/** Requests the refund of a paid order. Ends the check if this has no effect at all. */
async function rehearseRefund(context: CaseContext, watch: OrderWatch): Promise<void> {
  const { orders, sandbox, acceptedEncoding } = context
  const order = await orders.make({ name: 'rehearsal' })
  if (order.targets.length === 0) return
  await sandbox.pay(order)
  const before = await watch.waitUntilPaid(order)
  if ('unknown' in before || !before.paid) {
    context.readsNoPayments = acceptedEncoding.known() === 'json'
    return
  }
  const since = await sandbox.newestSeq()
  const { status, answered } = await requestRefund(context, order)
  if (status >= 400) return
  const isCalled = async (): Promise<boolean> =>
    (await sandbox.refundCalls(since, order.accountId)).length > 0
  const after = await watch.waitUntil(
    order,
    async ({ value }) => value !== before.value || (await isCalled()),
  )
  // If the app shows the order as refunded without calling the service, the mistake is in the app rather than in an option.
  if ('unknown' in after || after.value !== before.value || (await isCalled())) return
  // A call with a wrong key is no call of the account.
  const refusal = await sandbox.refusalAfter(since, [String(order.payId)])
  if (refusal !== undefined) throw refundRefused(refusal, answered)
  throw new CheckError(
    `Nothing was checked, because the app requested no refund: ${answered}, and the order stays ${JSON.stringify(before.value)}. Correct --refund-url, or make this address refund the order.`,
  )
}

const wrongUrl = (reason: string): CheckError =>
  new CheckError(
    `Nothing was checked, because no refund could be requested: ${reason}. Correct --refund-url.`,
  )

/** Ends the check if no answer comes from the address of refunds. Returns the status, and the answer in words. */
async function requestRefund(
  { options, shown }: CaseContext,
  order: CheckedOrder,
): Promise<{ readonly status: number; readonly answered: string }> {
  const url = refundUrlOf(options, order)
  const { status, location, text } = await requestPatiently(url, '', options).catch((error: unknown) => {
    options.signal?.throwIfAborted()
    throw wrongUrl(reasonOf(error))
  })
  shown.add('the answer to a refund', text)
  const answered = `${url} answered ${status}${location === null ? '' : `, a redirect to ${location}`}`
  if (WRONG_ADDRESS.has(status)) throw wrongUrl(answered)
  return { status, answered }
}

/** Ends the check if the app accepts payments that were made at the sandbox, but not webhooks that the check itself sends. */
async function rejectVerifyingApp(
  { orders, acceptedEncoding, sandbox }: CaseContext,
  watch: OrderWatch,
): Promise<void> {
  // Such an app ignores a webhook of an unknown payment, or refuses it.
  if (acceptedEncoding.failureWith('form')?.problem !== 'not-paid' && !acceptedEncoding.isRefused('form'))
    return
  const order = await orders.make({ name: 'rehearsal' })
  if (order.targets.length === 0) return
  // Also reads the state before the payment, because an app may keep showing a state that it has shown before.
  await watch.readPatiently(order)
  await sandbox.pay(order)
  const state = await watch.waitUntilPaid(order)
  if ('unknown' in state || !state.paid) return
  throw new CheckError(
    'Nothing was checked, because your app asks the service whether a payment exists, and the webhooks of this check belong to no payment. Your app accepted a payment that was made at the sandbox. Pass --caller: that check makes all its payments at the sandbox.',
  )
}
