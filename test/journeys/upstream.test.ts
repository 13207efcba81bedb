import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { openSandbox, shop as owner, type OpenSandbox } from '../support/sandbox.ts'
import { cleanEnvironment } from '../support/process.ts'
import { startShop } from '../support/shop.ts'
import { isFullSize } from '../../scripts/test-sets.js'
import { test } from '../support/test.ts'

type CallEvent = Extract<EventView, { type: 'api.request' | 'api.limited' }>

/** The calls in a journal, oldest first. */
const calls = async ({ control }: OpenSandbox): Promise<readonly CallEvent[]> =>
  (await control('GET', '/events?type=api.request,api.limited&limit=500')).answer.events

const order = async (url: string) =>
  (await (
    await fetch(`${url}/orders?item=Roses`, { method: 'POST', headers: { accept: 'application/json' } })
  ).json()) as { key: string; note: string; payLink: string }

const stateOf = async (url: string, note: string) =>
  (await fetch(`${url}/orders/by-note/${encodeURIComponent(note)}`)).json()

test('a shop sells and refunds through a sandbox that only watches the service', async ({
  sandbox: service,
}) => {
  await using mirror = await openSandbox({ upstream: service.url })
  await using shop = await startShop('shop', mirror.url)
  const { key, note, payLink } = await order(shop.url)
  expect(payLink).toMatch(service.url)
  await service.submit(payLink, { method: 'card', outcome: 'pay' })
  await service.settled()
  expect(await stateOf(shop.url, note)).toMatchObject({ status: 'paid', fulfilled: 1 })
  await fetch(`${shop.url}/orders/${key}/refund`, { method: 'POST', redirect: 'manual' })
  expect(await stateOf(shop.url, note)).toMatchObject({ refunded: true })

  const upstream = service.url
  const success = { upstream, code: 1, differences: [] }
  expect(await calls(mirror)).toMatchObject([
    { operation: 'createSplitLink', ...success },
    { operation: 'refundPayment', ...success },
  ])

  // A call after the end of the service gets HTTP 502. The journal still contains the earlier calls.
  await service.close()
  expect((await fetch(`${mirror.url}/api/v2/createLink`, { method: 'POST' })).status).toBe(502)
  expect((await calls(mirror)).map(({ status }) => status)).toEqual([200, 200, 502])
  expect(mirror.problems).toEqual([])
})

test.runIf(isFullSize)(
  'the whole suite of the example shop passes, and no call is recorded twice',
  async () => {
    await using service = await openSandbox()
    await using mirror = await openSandbox({ upstream: service.url, keep: 0 })
    const root = fileURLToPath(new URL('../..', import.meta.url))
    await promisify(execFile)(process.execPath, ['--test', 'fixtures/shops/suite/contract.test.js'], {
      cwd: root,
      env: {
        ...cleanEnvironment(),
        SHOP: '../../test/support/mirrored-shop',
        SHOP_WORK_MS: '100',
        CALLS_URL: mirror.url,
        PAYLINK_URL: service.url,
        PAYLINK_API_KEY: owner.apiKey,
        PAYLINK_RECIPIENT_TOKEN: (await service.accounts())[1]!.recipientToken,
      },
    })
    const mirrored = await calls(mirror)
    // The suite itself resends webhooks at the service.
    const original = (await calls(service)).filter(({ operation }) => operation !== 'sendWebhookViaPayId')
    expect(original.length).toBeGreaterThan(10)
    const facts = ({ operation, status, code, message }: CallEvent) =>
      `${operation} ${status} ${code} ${message}`
    expect(mirrored.map(facts).toSorted()).toEqual(original.map(facts).toSorted())
    expect(mirrored.flatMap(({ differences = [] }) => differences)).toEqual([])
  },
)
