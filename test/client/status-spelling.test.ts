import { expect, test } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'

test.each(['documented', 'lowercase'] as const)(
  'a wait for Success also matches with statusText=%s',
  async (statusText) => {
    await using sandbox = await startSandbox()
    const shop = await sandbox.createAccount({ behaviors: { statusText } })
    await shop.receiver()
    const link = await shop.createLink({ amount: 1, callbackUrl: 'http://localhost:3000/thanks' })
    await shop.pay(link)

    const { status } = await shop.waitForWebhook({ link, status: 'Success' })
    expect(status).toBe(statusText === 'lowercase' ? 'success' : 'Success')
    expect((await shop.waitForRedirect({ link, status: 'Success' })).status).toBe(status)
    await expect(shop.expectNoWebhook({ link, status: 'Success' })).rejects.toThrow('but none should')
    await shop.expectNoWebhook({ link, status: 'cancel' })
  },
)
