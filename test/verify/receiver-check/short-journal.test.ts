import { expect, test } from 'vitest'
import { startShop } from '../../../fixtures/laboratory/shop.ts'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { openSandbox } from '../../support/sandbox.ts'

test('a check continues after its first events and links were deleted', async () => {
  await using sandbox = await openSandbox({ keep: 200 })
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop({ url: sandbox.url, apiKey })
  const { orderUrl, stateUrl, receiver } = shop

  const { results } = await handle.check(receiver, {
    orderUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    stateUrl,
    only: ['repeated-at-once', 'many-at-once', 'cancelled', 'no-further-links'],
  })

  expect(results.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['repeated-at-once', 'passed'],
    ['many-at-once', 'passed'],
    ['cancelled', 'passed'],
    ['no-further-links', 'passed'],
  ])
})
