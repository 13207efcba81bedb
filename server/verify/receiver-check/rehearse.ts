import type { CaseContext } from './case-context.ts'
import { CheckError } from './check-error.ts'
import type { OrderWatch } from './watch-order.ts'

/**
 * Makes one order and pays another one, before any case. What goes wrong here is a matter of the options, so the check ends with a
 * message that names the option. Nothing here judges the app.
 */
export async function rehearse(context: CaseContext): Promise<void> {
  const { orders, watch, acceptedEncoding, options } = context
  if (watch === undefined || !orders.appMakesOrders) return
  const order = await orders.make({ name: 'rehearsal' })
  const state = await watch.read(order)
  if ('unknown' in state) {
    if (options.stateUrl === undefined) return
    throw new CheckError(
      `Nothing was checked, because the state of a new order cannot be read: ${state.unknown}. Correct --state-url.`,
    )
  }
  if (state.paid) {
    const value = state.value === undefined ? 'paid' : JSON.stringify(state.value)
    throw new CheckError(
      `Nothing was checked, because the state of a new order is ${value}, which means paid. Nobody has paid it. Correct --paid-value or --state-pointer, or let your app leave new orders unpaid.`,
    )
  }
  watch.countFrom(state)
  context.untouched = order
  if ((await acceptedEncoding.detect()) === undefined) await rejectVerifyingApp(context, watch)
}

/** Ends the check if the app pays an order that is paid at the sandbox, and not one whose webhook comes from the check. */
async function rejectVerifyingApp(
  { orders, acceptedEncoding, sandbox }: CaseContext,
  watch: OrderWatch,
): Promise<void> {
  if (acceptedEncoding.failureWith('form')?.problem !== 'not-paid') return
  const order = await orders.make({ name: 'rehearsal' })
  if (order.targets.length === 0) return
  await sandbox.pay(order)
  const state = await watch.waitUntilPaid(order)
  if ('unknown' in state || !state.paid) return
  throw new CheckError(
    'Nothing was checked, because your app asks the service whether a payment exists. It pays an order that was paid at the sandbox, but not by the webhook of this check, which belongs to no payment. Such an app needs no check of forged webhooks. Pass --caller to check the rest.',
  )
}
