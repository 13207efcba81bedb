import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'vitest'
import { fillJournal } from '../../scripts/bench/fill-journal.js'
import { readReport } from '../support/report.ts'
import {
  courier,
  market,
  NOON,
  openSandbox,
  production,
  recipients,
  shop,
  type OpenSandbox,
} from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const ask = (sandbox: OpenSandbox, query = '') => fetch(`${sandbox.url}/_sandbox/v1/report${query}`)

const contents = async (response: Response) => readReport(await response.text())

test('the report is a file to download, named by its time', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOON) })
  const response = await ask(sandbox)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="paylink-report-2026-07-01-100000.html"',
  )
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('the report has every event with its bytes, and a header', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOON) })
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  const { head, events } = await contents(await ask(sandbox))
  const { answer } = await sandbox.control('GET', '/events')

  expect(head).toMatchObject({
    version: sandbox.version,
    madeAt: NOON,
    head: answer.head,
    account: null,
    leftOut: 0,
    about: null,
    bytesFrom: 1,
  })
  expect(events.map(({ exchange: _bytes, ...event }) => event)).toEqual(answer.events)
  const call = events.find(({ type }) => type === 'api.request')
  expect(call?.exchange?.request.headers).toContainEqual(['token', 'dev…01'])
  const attempt = events.find(({ type }) => type === 'delivery.attempted')
  expect(attempt?.exchange?.request.body.content).toContain('pay_id')
  const queued = events.find(({ type }) => type === 'delivery.queued')
  expect(queued?.exchange?.request.body).toEqual(attempt?.exchange?.request.body)
})

test('the report of one account contains nothing of other accounts', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.call(
    'createSplitLink',
    { amount: 5, recipients: [{ ...recipients[0]!, token: shop.recipientToken }] },
    { token: courier.apiKey },
  )
  const { head, events } = await contents(await ask(sandbox, `?account=${courier.id}`))
  expect(head.account).toBe(courier.id)
  expect(head.accounts.map(({ id }) => id)).toEqual([courier.id])
  expect(head.involved).toEqual([{ id: shop.id, name: shop.name }])
  const text = JSON.stringify(head)
  for (const { recipientToken, billing } of [shop, market, production]) {
    for (const one of [recipientToken, billing.company]) expect(text).not.toContain(one)
  }
  expect(events.map(({ accountId }) => accountId)).toEqual([courier.id, courier.id])
})

test('a report contains no current or former API key', async ({ sandbox }) => {
  const { control, rawControl, call } = sandbox
  const apiKey = async (method: string, path: string, body: unknown) =>
    (await rawControl<{ id: string; apiKey: string }>(method, path, body)).answer
  const deleted = await apiKey('POST', '/accounts', {})
  await control('DELETE', `/accounts/${deleted.id}`)
  const chosen = (await apiKey('PATCH', `/accounts/${shop.id}`, { apiKey: 'chosenByTheDeveloper' })).apiKey
  await control('POST', '/snapshots', { name: 'before' })
  const rotated = (await apiKey('POST', `/accounts/${shop.id}/rotate`, { secret: 'apiKey' })).apiKey
  await control('POST', '/snapshots/before/restore')
  await control('PATCH', `/accounts/${market.id}`, {
    webhookUrls: [`http://localhost:3000/?key=${market.apiKey}`],
  })

  const keys = [deleted.apiKey, shop.apiKey, chosen, rotated, market.apiKey]
  for (const key of keys) await call(`createSplitLink?key=${key}`, { amount: 1, recipient_note: key })
  await fetch(`${sandbox.url}/tunnel/x`, { headers: { 'x-api-key': 'aKeyOfAnotherService' } })

  const report = JSON.stringify(await contents(await ask(sandbox)))
  for (const key of [...keys, 'aKeyOfAnotherService']) expect(report).not.toContain(key)
  expect(report).toContain('http://localhost:3000/?key=')
})

test('an API key that equals a word of the sandbox is masked only in texts', async ({ sandbox }) => {
  await sandbox.control('PATCH', `/accounts/${market.id}`, { apiKey: 'delivered' })
  await sandbox.control('PATCH', `/accounts/${production.id}`, { apiKey: shop.id.slice(0, 8) })
  await sandbox.createLink({ recipient_note: 'It was delivered' })
  await sandbox.control('POST', '/links/1001/pay')
  const { events } = await contents(await ask(sandbox))
  expect(events.find(({ type }) => type === 'delivery.attempted')).toMatchObject({
    state: 'delivered',
    accountId: shop.id,
  })
  expect(events.find(({ type }) => type === 'link.created')).toMatchObject({ link: { note: 'It was …' } })
})

test.for([
  ['of everything', '', '/reset'],
  ['of one account', `?account=${shop.id}`, `/accounts/${shop.id}/reset`],
] as const)(
  'a reset aborts the running download %s, and leaves no file that looks complete',
  async ([, query, reset], { folder }) => {
    const db = join(folder.path, 'large.db')
    const first = await openSandbox({ db })
    // More than the buffers of the sockets hold, so that a part is still unread at the reset.
    for (let captures = 0; captures < 12; captures++) {
      await first.call('createLink', { amount: 1, recipient_note: randomBytes(750_000).toString('base64') })
    }
    await first.close()
    fillJournal(db, 1_000)
    await using sandbox = await openSandbox({ db })

    const response = await ask(sandbox, query)
    expect(response.status).toBe(200)
    await sandbox.control('POST', reset)
    await expect(response.text()).rejects.toThrow('terminated')
    expect(sandbox.problems).toEqual([])
  },
)

test('a report of an unknown account, or with a wrong query, returns a problem', async ({ sandbox }) => {
  expect((await ask(sandbox, '?account=nobody')).status).toBe(404)
  expect((await ask(sandbox, '?acount=x')).status).toBe(400)
})

test('a report of more than twenty thousand events has the newest and counts the others', async ({
  folder,
}) => {
  const db = join(folder.path, 'large.db')
  await (await openSandbox({ db })).close()
  fillJournal(db, 20_010)
  await using sandbox = await openSandbox({ db })
  const { head, events } = await contents(await ask(sandbox))
  // Each of the two starts of the sandbox is also an event.
  expect([head.leftOut, events.length, events[0]?.seq, events.at(-1)?.seq]).toEqual([12, 20_000, 13, 20_012])
})
