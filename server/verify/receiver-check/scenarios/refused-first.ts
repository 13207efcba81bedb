import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { checkUnlessRefunded } from './paid-orders.ts'
import type { WebhookVariant } from '../../app/webhooks/webhook-variant.ts'

/** Sends the real webhook of an order after a first webhook that did not pay the order. */
export async function payNow(tools: CaseTools, order: CheckedOrder): Promise<void> {
  await tools.post(order)
  await checkUnlessRefunded(tools, order, () => tools.expectPaid(order))
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

/** Together with the first webhook above, five different amounts. Some apps lock an order after a few wrong webhooks. */
const FURTHER_AMOUNTS = ['cent-more', 'forged', 'double', 'rounded-down'] as const

/** First sends a webhook that must not pay the order. It must neither use up the payment nor close the order. */
export async function payAfterRefusal(tools: CaseTools): Promise<void> {
  const alone = REFUSED.map(([what, variant]) => ({ what, variants: [variant] }))
  const several = [...REFUSED.map(([, variant]) => variant), ...FURTHER_AMOUNTS.map((amount) => ({ amount }))]
  const all = { what: `${several.length} forged webhooks`, variants: several }
  const results = await Promise.allSettled(
    [...alone, all].map(async ({ what, variants }) => {
      const order = await tools.make()
      for (const variant of variants) await tools.post(order, variant, 'tolerated')
      await checkWith(`when the real payment came after ${what}`, () => payNow(tools, order))
    }),
  )
  // The plainest webhook explains a failure best.
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** When the connection breaks: in the middle of the body, or this many milliseconds after its end. */
const BREAKS: readonly (number | 'body')[] = ['body', 0, 2, 5, 10, 20, 50, 100, 200]

/**
 * The connection of the first attempt breaks before there is a response. The service cannot know what the app has done, and sends
 * the webhook again.
 */
export async function payAfterBreak(tools: CaseTools): Promise<void> {
  const { signal } = tools.context.options
  await Promise.all(
    BREAKS.map(async (hangUp) => {
      const order = await tools.make()
      await tools.postAndHangUp(order, hangUp)
      // The app notices the closed connection a moment later.
      await pause(BREAK_MS, undefined, { signal })
      const when = hangUp === 'body' ? 'in the middle of its body' : 'before its answer'
      await checkWith(`after the connection of the first attempt broke ${when}`, () => payNow(tools, order))
    }),
  )
}

const BREAK_MS = 250
