import type { Har } from 'har-format'
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { HarEntry } from '../../server/domain/har/write-har.ts'
import { harProblems } from '../support/har-problems.ts'
import { startReceiver } from '../support/receiver.ts'
import { courier, NOON, openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const ask = (sandbox: OpenSandbox, query = '') => fetch(`${sandbox.url}/_sandbox/v1/export.har${query}`)

/** The log of an export, after the schema of HTTP Archive 1.2 has accepted it. */
async function contents(response: Response) {
  const har = (await response.json()) as Har
  expect(harProblems(har)).toEqual([])
  return { ...har.log, pages: har.log.pages ?? [], entries: har.log.entries as HarEntry[] }
}

const kinds = (entries: readonly HarEntry[]) => entries.map(({ _sandbox }) => _sandbox.type)

test('the export is a file to download', async ({ sandbox }) => {
  const response = await ask(sandbox)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="paylink-sandbox.har"')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await contents(response)).toMatchObject({
    version: '1.2',
    creator: { name: 'paylink-sandbox', version: sandbox.version },
    pages: [],
    entries: [],
  })
})

test('an export groups calls, webhooks and captured requests by payment, the earliest first', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOON) })
  await sandbox.createLink({ recipient_note: 'Order 7' })
  await sandbox.call('createSplitLink', {})
  await sandbox.control('POST', '/links/1001/pay')
  const { pages, entries } = await contents(await ask(sandbox))

  expect(pages).toEqual([
    { id: 'link-1001', title: 'Payment 1001, €100.00: Order 7', startedDateTime: NOON, pageTimings: {} },
  ])
  expect(entries.map(({ pageref, _sandbox }) => [_sandbox.type, pageref])).toEqual([
    ['api.request', 'link-1001'],
    ['api.request', undefined],
    ['tunnel.captured', 'link-1001'],
    ['delivery.attempted', 'link-1001'],
  ])
  expect(entries[0]).toMatchObject({
    startedDateTime: NOON,
    request: { method: 'POST', url: `${sandbox.url}/api/v2/createSplitLink` },
    response: { status: 200, content: { mimeType: 'application/json; charset=utf-8' } },
    _sandbox: { entryPoint: 'api', assumed: expect.arrayContaining(['payId']) },
  })
  expect(entries[3]).toMatchObject({
    request: {
      url: `${sandbox.url}/tunnel/flower-shop`,
      postData: { params: expect.arrayContaining([{ name: 'data[pay_id]', value: '1001' }]) },
    },
    _sandbox: { deliveryId: 1, attempt: 1 },
  })
})

test('a webhook is listed at the time of its request, not of its answer', async ({ sandbox }) => {
  const { control } = sandbox
  let answer = () => {}
  await using receiver = await startReceiver((_received, response) => (answer = () => response.end()))
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await control('POST', '/links/1001/pay', { wait: 'accepted' })
  await receiver.count(1)
  await sandbox.call('createSplitLink', {})
  answer()
  await sandbox.settled()

  const { entries } = await contents(await ask(sandbox))
  expect(kinds(entries)).toEqual(['api.request', 'delivery.attempted', 'api.request'])
  const times = entries.map(({ startedDateTime }) => startedDateTime)
  expect(times).toEqual(times.toSorted())
})

test('a webhook that reached no server has status 0 and its error', async ({ sandbox }) => {
  await sandbox.createLink({ payment_endpoint: 'http://169.254.169.254/latest' })
  await sandbox.control('POST', '/links/1001/pay')
  const { entries } = await contents(await ask(sandbox))
  const failed = entries.find(({ response }) => response.status === 0)
  expect(failed?.comment).toContain('metadata')
  expect(failed?.response).toMatchObject({ _error: failed?.comment })
})

test('an export can be limited to an account, a link, or events after a seq', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.createLink()
  await sandbox.call('createLink', { amount: 5 }, { token: courier.apiKey })
  const limited = async (query: string) => {
    const { pages, entries } = await contents(await ask(sandbox, query))
    return [pages.map(({ id }) => id), entries.map(({ pageref }) => pageref)]
  }
  const { answer } = await sandbox.control('GET', '/events?link=1001')

  expect(await limited(`?account=${courier.id}`)).toEqual([['link-1003'], ['link-1003']])
  expect(await limited('?link=1002')).toEqual([['link-1002'], ['link-1002']])
  expect(await limited(`?account=${courier.id}&link=1002`)).toEqual([[], []])
  expect(await limited(`?after=${answer.events.at(-1)!.seq}`)).toEqual([
    ['link-1002', 'link-1003'],
    ['link-1002', 'link-1003'],
  ])
})

test('an export states the seq to continue from', async ({ sandbox }) => {
  await sandbox.createLink()
  const { _sandbox: about } = (await contents(await ask(sandbox))) as { _sandbox?: { head: number } }
  expect((await contents(await ask(sandbox, `?after=${about!.head}`))).entries).toEqual([])
  await sandbox.createLink()
  expect((await contents(await ask(sandbox, `?after=${about!.head}`))).entries).toHaveLength(1)
})

test('an export has no API key and no secret header', async ({ sandbox }) => {
  await sandbox.createLink({ recipient_note: `The key is ${shop.apiKey}` })
  await sandbox.control('POST', '/links/1001/pay')
  await fetch(`${sandbox.url}/tunnel/x?key=${shop.apiKey}`, {
    method: 'POST',
    headers: { 'x-api-key': 'aKeyOfAnotherService', cookie: 'sid=aSecretSession' },
    body: Buffer.concat([Buffer.of(255), Buffer.from(shop.apiKey)]),
  })
  const log = await contents(await ask(sandbox))
  const text = JSON.stringify(log)
  for (const secret of [shop.apiKey, 'aKeyOfAnotherService', 'aSecretSession'])
    expect(text).not.toContain(secret)
  expect(log.pages[0]?.title).toContain('The key is dev…')
  const { postData } = log.entries.at(-1)!.request
  expect(postData?.encoding).toBe('base64')
  expect(Buffer.from(postData!.text, 'base64').toString('latin1')).not.toContain(shop.apiKey)
})

test('an export has no key that was percent-encoded in a query or a form', async ({ sandbox }) => {
  const encoded = [...shop.apiKey].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  await fetch(`${sandbox.url}/tunnel/x?key=${encoded}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `key=${encoded}`,
  })
  const text = await (await ask(sandbox)).text()
  expect(text).not.toContain(shop.apiKey)
  expect(text).not.toContain(encoded)
  const { request } = (JSON.parse(text) as Har).log.entries[0]!
  expect([request.queryString[0]?.value, request.postData?.params?.[0]?.value]).toEqual(['dev…01', 'dev…01'])
})

test.for(['/reset', `/accounts/${shop.id}/reset`] as const)(
  'an export is aborted by %s',
  async (path, { sandbox }) => {
    // More than the buffers of the sockets hold, so that a part is still unread at the reset.
    for (let captures = 0; captures < 12; captures++) {
      await fetch(`${sandbox.url}/tunnel/x`, {
        method: 'POST',
        body: randomBytes(750_000).toString('base64'),
      })
    }
    // Events in the batch of the large ones would still arrive completely, so more batches follow.
    for (let captures = 0; captures < 20; captures++) await fetch(`${sandbox.url}/tunnel/x`)
    const response = await ask(sandbox)
    expect(response.status).toBe(200)
    const reader = response.body!.getReader()
    await reader.read()
    await sandbox.control('POST', path)
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow('terminated')
    expect(sandbox.problems).toEqual([])
  },
)

test.for([
  ['?account=nobody', 404],
  ['?link=9', 404],
  ['?after=x', 400],
  ['?afte=1', 400],
] as const)('an export with %s returns a problem', async ([query, status], { sandbox }) => {
  expect((await ask(sandbox, query)).status).toBe(status)
})
