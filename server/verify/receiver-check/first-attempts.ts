import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import { type CaseTools, checkWith } from './case-tools.ts'
import { PAUSE_OF_CALLS_MS } from './time-limit.ts'
import type { WebhookVariant } from './webhook-variant.ts'

/** Sends the real webhook of an order after a first webhook that did not pay the order. */
async function payNow(tools: CaseTools, order: CheckedOrder): Promise<void> {
  await tools.post(order)
  await tools.expectPaid(order)
  await tools.waitForOtherOrder()
  if (!(await tools.isRefunded(order))) await tools.expectNow(order, 'paid-once', true)
}

/** Webhooks that pay nothing, each with its description for people. */
const REFUSED: readonly (readonly [string, WebhookVariant])[] = [
  ['a webhook with a wrong amount', { amount: 'cent-less' }],
  ['a webhook of another account', { user: 'forged' }],
  ['a webhook with the status Pending', { status: 'Pending' }],
  ['a webhook with the status failed', { status: 'failed' }],
  ['a webhook without a status', { omit: 'status' }],
  ['a webhook without an amount', { omit: 'amount' }],
  ['a malformed webhook', { encoding: 'form', body: 'data[pay_id]=%ZZ&data[status]=Success' }],
]

/** First sends a webhook that must not pay the order. It must neither use up the payment nor close the order. */
export async function payAfterRefusal(tools: CaseTools): Promise<void> {
  const alone = REFUSED.map(([what, variant]) => ({ what, variants: [variant] }))
  const all = { what: `${REFUSED.length} forged webhooks`, variants: REFUSED.map(([, variant]) => variant) }
  await Promise.all(
    [...alone, all].map(async ({ what, variants }) => {
      const order = await tools.make()
      for (const variant of variants) await tools.post(order, variant, 'tolerated')
      await checkWith(`when the real payment came after ${what}`, () => payNow(tools, order))
    }),
  )
}

/** When the connection breaks: in the middle of the body, or this many milliseconds after its end. */
const BREAKS: readonly (number | 'body')[] = ['body', 0, 2, 5, 10, 20, 50, 100, 200]

/**
 * The connection of the first attempt breaks before there is a response. The service cannot know what the app has done, and sends
 * the webhook again.
 */
export async function payAfterBreak(tools: CaseTools): Promise<void> {
  await Promise.all(
    BREAKS.map(async (hangUp) => {
      const order = await tools.make()
      await tools.postAndHangUp(order, hangUp)
      // The app notices the closed connection a moment later.
      await pause(BREAK_MS, undefined, signalOf(tools))
      const when = hangUp === 'body' ? 'in the middle of its body' : 'before its answer'
      await checkWith(`after the connection of the first attempt broke ${when}`, () => payNow(tools, order))
    }),
  )
}

const BREAK_MS = 250

const signalOf = ({ context: { options } }: CaseTools) =>
  options.signal === undefined ? {} : { signal: options.signal }

/** A webhook arrives while every call of the service fails. If the app does not accept it, the service sends it again. */
export async function payWhileServiceIsDown(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  const repair = await tools.sandbox.failCalls(order.accountId)
  let isAccepted = await tools.tryPost(order).finally(repair)
  // After failures, an app may pause its calls for a while.
  const end = performance.now() + PAUSE_OF_CALLS_MS
  while (!isAccepted && performance.now() < end) {
    await pause(TRY_AGAIN_MS, undefined, signalOf(tools))
    isAccepted = await tools.tryPost(order)
  }
  await checkWith('after a webhook that arrived while the service answered no calls', async () => {
    if (isAccepted) await tools.expectPaid(order, false, Math.max(PAUSE_OF_CALLS_MS, tools.context.timeoutMs))
    else await payNow(tools, order)
  })
}

const TRY_AGAIN_MS = 500
