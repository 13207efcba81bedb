import { type CaseTools, checkWith } from './case-tools.ts'
import type { WebhookVariant } from './webhook-variant.ts'

/** Payments to other accounts: to one that does not exist, and to those of the sandbox. Each is for an order of its own. */
export async function payOtherAccounts(tools: CaseTools): Promise<void> {
  const first = await tools.make()
  const others = await tools.sandbox.otherAccounts(first.accountId)
  const users: readonly WebhookVariant['user'][] = ['forged', ...others.map((accountId) => ({ accountId }))]
  const orders = [first, ...(await Promise.all(others.map(() => tools.make())))]
  await Promise.all(orders.map((order, index) => tools.post(order, { user: users[index] }, 'tolerated')))
  await tools.waitForOtherOrder()
  for (const [index, order] of orders.entries()) {
    const whose = index === 0 ? 'no account' : `another account of the sandbox, ${others[index - 1]}`
    await checkWith(`after a webhook with the user_id of ${whose}`, async () => {
      await tools.expectNow(order, 'unpaid')
      await tools.expectNoRefund(order)
    })
  }
}
