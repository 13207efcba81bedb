import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { CaseFailure } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { createMeeting } from '../webhooks/meeting.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { orderAgain } from './two-links.ts'

/** A cancel for another account arrives. It must not have the effect of a real cancel. */
export async function forgeCancel(tools: CaseTools): Promise<void> {
  const [order, cancelled] = [await tools.make(), await tools.make()]
  const before = await tools.read(order)
  const readsJson = await tools.context.acceptedEncoding.accepts('json')
  for (const encoding of readsJson ? (['form', 'json'] as const) : (['form'] as const))
    await tools.post(order, { status: 'cancel', user: 'forged', encoding }, 'tolerated')
  await tools.post(cancelled, { status: 'cancel' })
  await tools.waitForOtherOrder()
  const [after, real] = [await tools.read(order), await tools.read(cancelled)]
  if (before.value === real.value)
    throw new NotPossibleError('a cancel does not change the state of an order')
  if (before.value === after.value || after.value !== real.value) return
  const seen = `the order was ${JSON.stringify(before.value)}, and is ${JSON.stringify(after.value)} after a cancel with the user_id of another account`
  throw new CaseFailure({ problem: 'cancelled-by-forgery', seen }, order)
}

const IS_BOOLEAN = /^(true|false)$/

const CANCELLED_UNKNOWN = 'the state of a cancelled order is not known: pass --cancelled-value'

const ONLY_BOOLEAN =
  'the state at --state-pointer is only true or false, and does not show whether an order is cancelled. If your app shows a state in words, pass --state-pointer, --paid-value and --cancelled-value'

/** A cancel must give the order the state in `--cancelled-value`. So must a cancel of the link of a second attempt. */
export async function cancelOrder(tools: CaseTools): Promise<void> {
  const { cancelledValue } = tools.context.options
  if (cancelledValue === undefined) {
    const { value = '' } = await tools.read(tools.context.untouched ?? (await tools.make()))
    throw new NotPossibleError(IS_BOOLEAN.test(value) ? ONLY_BOOLEAN : CANCELLED_UNKNOWN, 'option')
  }
  const order = await tools.make()
  await expectCancelled(tools, order, cancelledValue, 'after a cancel')
  const newer = tools.orders.canOrderAgain ? await orderAgain(tools, order) : undefined
  if (newer === undefined || newer.id === order.id) return
  await expectCancelled(tools, newer, cancelledValue, 'after a cancel of its second link')
}

async function expectCancelled(
  tools: CaseTools,
  order: CheckedOrder,
  cancelledValue: string,
  when: string,
): Promise<void> {
  const before = await tools.read(order)
  await tools.post(order, { status: 'cancel' })
  const after = await tools.waitForState(order, ({ value }) => value === cancelledValue)
  if (after.value === cancelledValue) return
  const { value = 'unknown' } = after
  const seen = `${when} the state of the order is ${JSON.stringify(value)}, not ${JSON.stringify(cancelledValue)}`
  const isChanged = after.value !== undefined && before.value !== after.value
  const advice = isChanged
    ? `. If ${JSON.stringify(value)} means cancelled, pass --cancelled-value ${value}`
    : ''
  throw new CaseFailure({ problem: 'not-cancelled', seen: seen + advice }, order)
}

const REPEATED_AT_ONCE = 10

/** A cancel is sent again after the customer has returned, or several times at once. It must take effect only once. */
export async function cancelTwice(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  const others = await Promise.all(Array.from({ length: REPEATED_AT_ONCE }, () => tools.make()))
  await tools.post(order, { status: 'cancel' })
  await tools.waitForOtherOrder()
  const once = await tools.read(order)
  if (order.callbackUrl !== '') await tools.browse(order, 'cancel')
  await tools.post(order, { status: 'cancel' })
  const meeting = createMeeting(others.length)
  await Promise.all(
    others.map((other, index) =>
      tools.post(other, { status: 'cancel', copies: 5 }, 'accepted', meeting[index]),
    ),
  )
  await tools.waitForOtherOrder()
  for (const repeated of [order, ...others]) {
    const now = await tools.read(repeated)
    const changed = now.counts.find(({ value }, index) => value !== (once.counts[index]?.value ?? 0))
    if (changed === undefined) {
      await tools.expectNow(repeated, 'unpaid')
      continue
    }
    const before = once.counts.find(({ name }) => name === changed.name)?.value ?? 0
    const how = repeated === order ? 'after the same cancel again' : 'after five copies of a cancel at once'
    const seen = `${changed.name} changed by ${before} after a cancel, and by ${changed.value} ${how}`
    throw new CaseFailure({ problem: 'changed-after-cancel', seen }, repeated)
  }
}
