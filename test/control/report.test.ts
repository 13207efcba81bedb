import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fillJournal } from '../../scripts/bench/fill-journal.js'
import type { ReportedEvent, ReportHead } from '../../server/control/report-lines.ts'
import { temporaryFolder } from '../support/process.ts'
import { courier, NOON, openSandbox, recipients, shop, type OpenSandbox } from '../support/sandbox.ts'

const ask = (sandbox: OpenSandbox, query = '') => fetch(`${sandbox.url}/_sandbox/v1/report${query}`)

/** What a report holds, read without a browser. */
async function contents(response: Response) {
  const [data = ''] = /(?<=id="data">)[^<]+/.exec(await response.text()) ?? []
  const [head, ...events] = gunzipSync(Buffer.from(data, 'base64'))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  return { head: head as ReportHead, events: events as ReportedEvent[] }
}

test('the report is a file to keep, named by its time', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOON) })
  const response = await ask(sandbox)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="paylink-report-2026-07-01-100000.html"',
  )
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('the report has every event with its bytes, and says what it is', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOON) })
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  const { head, events } = await contents(await ask(sandbox))
  const { answer } = await sandbox.control<{ events: { seq: number }[]; head: number }>('GET', '/events')

  expect(head).toMatchObject({
    version: sandbox.version,
    madeAt: NOON,
    head: answer.head,
    account: null,
    leftOut: 0,
    bytesFrom: 1,
  })
  expect(events.map(({ exchange: _bytes, ...event }) => event)).toEqual(answer.events)
  const call = events.find(({ type }) => type === 'call.answered')
  expect(call?.exchange?.request.headers).toContainEqual(['token', 'dev…01'])
  const attempt = events.find(({ type }) => type === 'delivery.attempted')
  expect(attempt?.exchange?.request.body.content).toContain('pay_id')
  const queued = events.find(({ type }) => type === 'delivery.queued')
  expect(queued?.exchange?.request.body).toEqual(attempt?.exchange?.request.body)
})

test('the report of one account is about that account alone', async () => {
  await using sandbox = await openSandbox()
  await sandbox.createLink()
  await sandbox.call(
    'createSplitLink',
    { amount: 5, recipients: [{ ...recipients[0]!, token: shop.recipientToken }] },
    { token: courier.apiKey },
  )
  const { head, events } = await contents(await ask(sandbox, `?account=${courier.id}`))
  expect(head.account).toBe(courier.id)
  expect(events.map(({ accountId }) => accountId)).toEqual([courier.id, courier.id])
})

test('a report of an unknown account, or asked for wrongly, is a problem', async () => {
  await using sandbox = await openSandbox()
  expect((await ask(sandbox, '?account=nobody')).status).toBe(404)
  expect((await ask(sandbox, '?acount=x')).status).toBe(400)
})

test('a report of more than twenty thousand events has the newest and counts the others', async () => {
  using folder = temporaryFolder()
  const db = join(folder.path, 'large.db')
  await (await openSandbox({ db })).close()
  fillJournal(db, 20_010)
  await using sandbox = await openSandbox({ db })
  const { head, events } = await contents(await ask(sandbox))
  // Together with two starts of the sandbox.
  expect([head.leftOut, events.length, events[0]?.seq, events.at(-1)?.seq]).toEqual([12, 20_000, 13, 20_012])
})
