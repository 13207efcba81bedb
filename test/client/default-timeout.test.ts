import { expect, test } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'

test('every wait times out before a Vitest test does', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const webhooks = await shop.receiver()

  const waits = [
    sandbox.waitFor({ type: 'link.paid' }),
    shop.waitForWebhook({ status: 'Success' }, { timeoutMs: undefined }),
    shop.waitForRedirect(),
    webhooks.next(),
  ]

  for (const wait of await Promise.allSettled(waits)) {
    expect(wait).toMatchObject({ reason: { message: expect.stringContaining('within 4000 ms') } })
  }
})
