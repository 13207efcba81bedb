import { expect, test } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'

test('findings of one account are not reported for another account', async () => {
  await using sandbox = await startSandbox()
  const [mine, other] = [await sandbox.createAccount({ name: 'Mine' }), await sandbox.createAccount()]
  await mine.callUnchecked('createLnk', { amount: 1 })
  await other.createLink({ amount: 1 })

  expect(await mine.diagnostics()).toMatchObject([{ code: 'wrongOperation', severity: 'error' }])
  expect(await other.diagnostics({ severity: 'error' })).toEqual([])
  expect((await sandbox.diagnostics()).map(({ code }) => code)).toEqual(['wrongOperation', 'noWebhookTarget'])
})

test('the handle exports calls and webhooks as HAR, and the run as a page', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  await shop.receiver()
  const link = await shop.createLink({ amount: 1 })
  await shop.createLink({ amount: 2 })
  await shop.pay(link)

  const { log } = JSON.parse(await shop.exportHar({ link })) as {
    log: { version: string; entries: { request: { url: string } }[] }
  }
  expect(log.version).toBe('1.2')
  expect(log.entries.map(({ request }) => new URL(request.url).pathname)).toEqual([
    '/api/v2/createLink',
    '/webhook',
  ])
  expect(await shop.exportReport()).toMatch(/^<!doctype html>/i)
})
