import SQLite from 'better-sqlite3'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCli, startSandboxCli } from '../support/cli.ts'
import { callsOf, courier, market, openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/** A time after the last of the seeded invoices. */
const NOVEMBER = '2026-11-10T12:00:00.000Z'
const still = { now: () => new Date(NOVEMBER) }

const advance = (sandbox: Pick<OpenSandbox, 'control'>, by: object) =>
  sandbox.control('POST', '/clock/advance', by)

async function pay(
  sandbox: Pick<OpenSandbox, 'call' | 'control'>,
  { apiKey, amount = 100 }: { apiKey?: string; amount?: number } = {},
): Promise<number> {
  const { envelope } = await sandbox.call<{ id: number }>(
    'createLink',
    { amount },
    apiKey === undefined ? {} : { token: apiKey },
  )
  await sandbox.control('POST', `/links/${envelope.data.id}/pay`)
  return envelope.data.id
}

test('the clock follows the system time until it is changed', async () => {
  await using sandbox = await openSandbox(still)
  const { answer } = await sandbox.control('GET', '/clock')
  expect(answer).toEqual({
    now: NOVEMBER,
    mode: 'running',
    offsetMs: 0,
    serverTime: '2026-11-10 13:00:00',
    zone: 'CET',
  })
  expect((await sandbox.control('GET', '/info')).answer.clock).toEqual(answer)
})

test('every timestamp and ServerTime follow the clock', async () => {
  await using sandbox = await openSandbox(still)
  await sandbox.control('PUT', '/clock', { now: '2027-07-01T12:00:00+02:00' })
  const { envelope } = await sandbox.call('createLink', { amount: 1 })
  expect(envelope.ServerTime).toBe('CEST')
  expect(envelope.data).toMatchObject({ created_at: '2027-07-01 12:00:00' })

  await sandbox.control('POST', '/links/1001/pay')
  const at = '2027-07-01T10:00:00.000Z'
  expect((await sandbox.control('GET', '/links/1001')).answer).toMatchObject({ createdAt: at, paidAt: at })
  const { answer } = await sandbox.control('GET', '/events')
  expect(answer.events.filter(({ type }) => type !== 'sandbox.started').map((event) => event.at)).toEqual(
    answer.events.slice(1).map(() => at),
  )
})

test('a frozen clock stands still, can be resumed, and can be reset to the system time', async () => {
  let machine = Date.parse(NOVEMBER)
  await using sandbox = await openSandbox({ now: () => new Date(machine) })
  const clock = async () => (await sandbox.control('GET', '/clock')).answer

  await sandbox.control('PUT', '/clock', { mode: 'frozen' })
  machine += 60_000
  expect(await clock()).toMatchObject({ now: NOVEMBER, mode: 'frozen', offsetMs: -60_000 })
  await advance(sandbox, { hours: 1 })
  expect(await clock()).toMatchObject({ now: '2026-11-10T13:00:00.000Z', mode: 'frozen' })

  await sandbox.control('PUT', '/clock', { mode: 'running' })
  machine += 60_000
  expect(await clock()).toMatchObject({ now: '2026-11-10T13:01:00.000Z', mode: 'running' })
  await sandbox.control('DELETE', '/clock')
  expect(await clock()).toMatchObject({ now: '2026-11-10T12:02:00.000Z', mode: 'running', offsetMs: 0 })

  const { answer } = await sandbox.control('GET', '/events?type=clock.changed')
  expect(answer.events).toMatchObject([
    { from: NOVEMBER, to: NOVEMBER, mode: 'frozen', offsetMs: 0 },
    { from: NOVEMBER, to: '2026-11-10T13:00:00.000Z', mode: 'frozen' },
    { mode: 'running', offsetMs: 59 * 60_000 },
    { to: '2026-11-10T12:02:00.000Z', mode: 'running', offsetMs: 0 },
  ])
})

test.each<[what: string, from: string, by: object, to: string]>([
  [
    'a month from a day the next one lacks',
    '2027-01-31T12:00:00+01:00',
    { months: 1 },
    '2027-02-28T11:00:00.000Z',
  ],
  ['a month into a leap day', '2028-01-31T12:00:00+01:00', { months: 1 }, '2028-02-29T11:00:00.000Z'],
  [
    'a day over the start of summer time',
    '2027-03-27T12:00:00+01:00',
    { days: 1 },
    '2027-03-28T10:00:00.000Z',
  ],
  [
    '24 hours over the start of summer time',
    '2027-03-27T12:00:00+01:00',
    { hours: 24 },
    '2027-03-28T11:00:00.000Z',
  ],
  [
    'minutes and hours together',
    '2027-03-27T12:00:00+01:00',
    { hours: 1, minutes: 30 },
    '2027-03-27T12:30:00.000Z',
  ],
  ['the next month', '2027-03-27T12:00:00+01:00', { to: 'next-month' }, '2027-03-31T22:00:00.000Z'],
  ['a moment', '2027-03-27T12:00:00+01:00', { to: '2027-05-01T00:00:00+02:00' }, '2027-04-30T22:00:00.000Z'],
])('advancing by %s follows the calendar of Berlin', async (_what, from, by, to) => {
  await using sandbox = await openSandbox(still)
  await sandbox.control('PUT', '/clock', { now: from })
  expect((await advance(sandbox, by)).answer).toMatchObject({ now: to, issued: [] })
})

test.each<[what: string, method: string, path: string, body: object, status: number, detail: string]>([
  ['going back', 'POST', '/advance', { to: '2026-11-10T11:59:59Z' }, 409, 'The clock can only move forward'],
  ['advancing by nothing', 'POST', '/advance', {}, 400, 'should have either to, or one or more of months'],
  [
    'advancing by a span to a moment',
    'POST',
    '/advance',
    { days: 1, to: NOVEMBER },
    400,
    'should have either to, or',
  ],
  ['a negative span', 'POST', '/advance', { days: -1 }, 400, 'days in the body'],
  ['advancing past the calendar', 'POST', '/advance', { months: 1_000_000 }, 422, 'The clock cannot pass'],
  ['setting nothing', 'PUT', '', {}, 400, 'DELETE /_sandbox/v1/clock'],
  [
    'a time without its zone',
    'PUT',
    '',
    { now: '2026-12-01T00:00:00' },
    400,
    'ISO 8601 time with a time zone',
  ],
  [
    'a time before everything',
    'PUT',
    '',
    { now: '1969-01-01T00:00:00Z' },
    422,
    'The clock accepts times from 1970',
  ],
  ['an unknown mode', 'PUT', '', { mode: 'backwards' }, 400, 'mode in the body'],
])(
  'the time %s is refused, and the clock stays unchanged',
  async (_what, method, path, body, status, detail) => {
    await using sandbox = await openSandbox(still)
    const refused = await sandbox.rawControl(method, `/clock${path}`, body)
    expect([refused.status, refused.answer.detail]).toEqual([status, expect.stringContaining(detail)])
    expect((await sandbox.control('GET', '/clock')).answer).toMatchObject({ now: NOVEMBER, offsetMs: 0 })
  },
)

test('passing the 1st of a month bills each account for the month before', async () => {
  await using sandbox = await openSandbox(still)
  await pay(sandbox)
  await pay(sandbox, { amount: 49.5 })
  await pay(sandbox, { apiKey: courier.apiKey })
  await sandbox.call('createLink', { amount: 1000 })

  expect((await advance(sandbox, { to: '2026-12-01T00:00:00.000+01:00' })).answer.issued).toMatchObject([
    {
      accountId: shop.id,
      invoiceId: expect.stringMatching(/^202612-sf-[0-9A-F]{10}$/),
      invoiceDate: '2026-12-01',
      serviceMonth: '2026-11',
      serviceMonthText: 'November 2026',
      platformFee: 1.5,
      pspFee: 0.5,
      vat: 0.38,
      company: shop.billing.company,
      createdAt: '2026-11-30T23:00:00.000Z',
    },
    { accountId: courier.id, platformFee: 1.5, pspFee: 0.25, vat: 0 },
  ])
  const list = await sandbox.call<{ sf_id: string }[]>('getTaxInvoiceList', { date: '2026-11' })
  expect(list.envelope.data).toMatchObject([
    { sf_id: '531', total_secpaid_fee: 1.5, total_psp_fee: 0.5, created_at: '2026-12-01 00:00:00' },
  ])
  expect(list.headers.get('sandbox-assumed')).toContain('invoiceFees')
  const { answer } = await sandbox.control('GET', '/events?type=invoice.issued')
  expect(answer.events).toMatchObject([
    { accountId: shop.id, at: '2026-11-30T23:00:00.000Z', invoice: { vat: 0.38 } },
    { accountId: courier.id },
  ])
})

test.for<[how: string, pass: (control: OpenSandbox['control']) => Promise<unknown>]>([
  ['advancing to the 1st', (control) => advance({ control }, { to: 'next-month' })],
  ['advancing past the 1st', (control) => advance({ control }, { months: 2 })],
  ['setting the clock', (control) => control('PUT', '/clock', { now: '2027-03-15T12:00:00Z' })],
  [
    'freezing the clock at a later time',
    (control) => control('PUT', '/clock', { now: '2027-03-15T12:00:00Z', mode: 'frozen' }),
  ],
  [
    "going back to the machine's time",
    async (control) => {
      await control('PUT', '/clock', { now: '2026-01-15T12:00:00Z' })
      await control('DELETE', '/clock')
    },
  ],
])('after %s, the invoice is created on the 1st of the month after the payment', async ([how, pass]) => {
  const isBack = how.startsWith('going back')
  await using sandbox = await openSandbox({ now: () => new Date(isBack ? '2026-12-20T12:00:00Z' : NOVEMBER) })
  if (isBack) await sandbox.control('PUT', '/clock', { now: NOVEMBER })
  await pay(sandbox)
  await pass(sandbox.control)

  const { answer } = await sandbox.control('GET', `/invoices?account=${shop.id}`)
  expect(answer.invoices[0]).toMatchObject({
    invoiceDate: '2026-12-01',
    createdAt: '2026-11-30T23:00:00.000Z',
  })
  const { envelope } = await sandbox.call('getTaxInvoiceList', { date: '2026-11' })
  expect(envelope.data).toMatchObject([{ invoice_date: '2026-12-01', created_at: '2026-12-01 00:00:00' }])
})

test('one millisecond before the 1st, no account is billed', async () => {
  await using sandbox = await openSandbox(still)
  await pay(sandbox)
  expect((await advance(sandbox, { to: '2026-11-30T23:59:59.999+01:00' })).answer.issued).toEqual([])
  expect((await advance(sandbox, { minutes: 1 })).answer.issued).toHaveLength(1)
  expect((await advance(sandbox, { months: 3 })).answer.issued).toEqual([])
})

test('advancing several months bills each of them, the oldest first', async () => {
  await using sandbox = await openSandbox(still)
  await sandbox.control('PUT', '/clock', { mode: 'frozen' })
  await pay(sandbox, { apiKey: market.apiKey })
  await advance(sandbox, { to: '2027-01-15T00:00:00Z' })
  await pay(sandbox, { apiKey: market.apiKey })
  await advance(sandbox, { days: 2 })
  // In Berlin, where summer time has begun, this is the last minute of March.
  await sandbox.control('PUT', '/clock', { now: '2027-03-31T21:59:00Z' })
  await pay(sandbox, { apiKey: market.apiKey })
  const { answer } = await advance(sandbox, { months: 5 })
  expect(answer.issued.map(({ serviceMonth, createdAt }) => [serviceMonth, createdAt])).toEqual([
    ['2027-03', '2027-03-31T22:00:00.000Z'],
  ])
  const all = await sandbox.control('GET', `/invoices?account=${market.id}`)
  expect(all.answer.invoices.map(({ serviceMonth, createdAt }) => [serviceMonth, createdAt])).toEqual([
    ['2027-03', '2027-03-31T22:00:00.000Z'],
    ['2027-01', '2027-01-31T23:00:00.000Z'],
    ['2026-11', '2026-11-30T23:00:00.000Z'],
  ])
})

test('a month is billed once, however the clock moves', async () => {
  await using sandbox = await openSandbox(still)
  await pay(sandbox)
  const put = (now: string) => sandbox.control('PUT', '/clock', { now })
  expect((await put('2026-12-02T00:00:00Z')).answer.issued).toHaveLength(1)
  await put(NOVEMBER)
  await pay(sandbox)
  await pay(sandbox, { apiKey: courier.apiKey })
  const { answer } = await advance(sandbox, { months: 1 })
  expect(answer.issued.map(({ accountId }) => accountId)).toEqual([courier.id])

  // The later payment is never billed.
  const [first] = (await sandbox.control('GET', `/invoices?account=${shop.id}`)).answer.invoices
  expect(first).toMatchObject({ serviceMonth: '2026-11', platformFee: 1, pspFee: 0.25 })
  expect((await advance(sandbox, { months: 2 })).answer.issued).toEqual([])

  // Seeded invoices also count.
  await put('2026-08-10T00:00:00Z')
  await pay(sandbox)
  expect((await advance(sandbox, { months: 1 })).answer.issued).toEqual([])
})

test('a refund does not return fees', async () => {
  await using sandbox = await openSandbox(still)
  const id = await pay(sandbox)
  await sandbox.call('refundPayment', { pay_id: id, refund_amount: 100, isFullRefund: true })
  await sandbox.control('POST', `/refunds/${id}/approve`)
  expect((await advance(sandbox, { months: 1 })).answer.issued).toMatchObject([
    { platformFee: 1, pspFee: 0.25 },
  ])
})

/** A system clock that stands still just before the 1st until `run` is called. */
function almostTheFirst() {
  let started: number | undefined
  const almost = Date.parse('2026-11-30T23:00:00Z') - 100
  return {
    now: () => new Date(almost + (started === undefined ? 0 : Date.now() - started)),
    run: () => void (started = Date.now()),
  }
}

test('a running clock that passes the 1st issues the invoices', async () => {
  const { now, run } = almostTheFirst()
  await using sandbox = await openSandbox({ now })
  await pay(sandbox)
  run()
  const { status, answer } = await sandbox.control('POST', '/events/wait', {
    match: { type: 'invoice.issued', accountId: shop.id },
    timeoutMs: 20_000,
  })
  expect([status, answer.events]).toMatchObject([200, [{ invoice: { serviceMonth: '2026-11' } }]])
})

test('invoices that could not be issued are retried', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const { now, run } = almostTheFirst()
  await using sandbox = await openSandbox({ db, now })
  await pay(sandbox)
  const other = new SQLite(db)
  other.exec("create trigger full before insert on invoice begin select raise(abort, 'it is full'); end")
  run()
  await expect.poll(() => sandbox.problems).toContainEqual(expect.objectContaining({ message: 'it is full' }))

  other.exec('drop trigger full')
  other.close()
  const { status } = await sandbox.control('POST', '/events/wait', {
    match: { type: 'invoice.issued', accountId: shop.id },
    timeoutMs: 20_000,
  })
  expect(status).toBe(200)
})

test('a clock that is frozen just before the first of a month is read as often as a clock frozen at another time', async () => {
  let readings = 0
  await using sandbox = await openSandbox({ now: () => new Date(Date.parse(NOVEMBER) + 0 * ++readings) })
  /** Counts how often the time is read during a wait that times out. */
  async function readingsAt(at: string) {
    await sandbox.control('PUT', '/clock', { now: at, mode: 'frozen' })
    const before = readings
    await sandbox.control('POST', '/events/wait', { match: { type: 'link.paid' }, timeoutMs: 100 })
    return readings - before
  }
  expect(await readingsAt('2026-11-30T22:59:59.999Z')).toBe(await readingsAt(NOVEMBER))
})

test.for([
  ['the earliest', '1970-01-02T00:00:00.000Z', 422, '1970-01-01T23:59:59.999Z'],
  ['the latest', '9999-01-01T00:00:00.000Z', 422, '9999-01-01T00:00:00.001Z'],
] as const)(
  'the clock can be set to %s allowed time, and the sandbox works, even after a restart',
  async ([_which, limit, status, beyond], { folder }) => {
    const db = join(folder.path, 'sandbox.db')
    const first = await openSandbox({ db })
    expect((await first.control('PUT', '/clock', { now: beyond })).status).toBe(status)
    for (const mode of ['frozen', 'running'] as const) {
      expect((await first.control('PUT', '/clock', { now: limit, mode })).status).toBe(200)
      await pay(first)
    }
    await first.close()
    expect(first.problems).toEqual([])

    // The second start is a year later.
    await using second = await openSandbox({ db, now: () => new Date(Date.now() + 366 * 86_400_000) })
    expect((await second.control('GET', '/clock')).answer.now).toMatch(/^(1971|9999-01-01T00:00:00.000Z)/)
    await pay(second)
    expect((await second.control('POST', '/reset')).status).toBe(200)
    expect(second.problems).toEqual([])
  },
)

test('time can be advanced up to the latest allowed time, and no further', async () => {
  await using sandbox = await openSandbox(still)
  await sandbox.control('PUT', '/clock', { now: '9998-12-31T23:59:00Z' })
  expect((await advance(sandbox, { minutes: 1 })).answer).toMatchObject({ now: '9999-01-01T00:00:00.000Z' })
  expect((await advance(sandbox, { minutes: 1 })).status).toBe(422)
  expect((await advance(sandbox, { to: 'next-month' })).status).toBe(422)
  expect((await sandbox.control('DELETE', '/clock')).answer).toMatchObject({ now: NOVEMBER })
  expect(sandbox.problems).toEqual([])
})

test('a database whose clock is out of range can be opened', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await (await openSandbox({ db })).close()
  const other = new SQLite(db)
  other
    .prepare("update meta set value = ? where key = 'clock'")
    .run('{"mode":"frozen","at":"9999-12-01T00:00:00.000Z"}')
  other.close()
  await using sandbox = await openSandbox({ db })
  expect((await sandbox.control('GET', '/clock')).answer).toMatchObject({ now: '9999-01-01T00:00:00.000Z' })
})

test('the clock survives a restart, and everything that fell due in between is done', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db, ...still })
  await advance(first, { days: 2 })
  await pay(first)
  await first.close()

  await using second = await openSandbox({ db, now: () => new Date(Date.parse(NOVEMBER) + 30 * 86_400_000) })
  expect((await second.control('GET', '/clock')).answer).toMatchObject({
    now: '2026-12-12T12:00:00.000Z',
    offsetMs: 2 * 86_400_000,
  })
  const { answer } = await second.control('GET', '/invoices')
  expect(answer.invoices[0]).toMatchObject({ serviceMonth: '2026-11', createdAt: '2026-11-30T23:00:00.000Z' })
})

test('a frozen clock is still frozen after a restart', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  await first.control('PUT', '/clock', { now: NOVEMBER, mode: 'frozen' })
  await first.close()
  await using second = await openSandbox({ db })
  expect((await second.control('GET', '/clock')).answer).toMatchObject({ now: NOVEMBER, mode: 'frozen' })
})

test('a reset resets the clock', async () => {
  await using sandbox = await openSandbox(still)
  await sandbox.control('PUT', '/clock', { now: '2030-01-01T00:00:00Z', mode: 'frozen' })
  await sandbox.control('POST', '/reset')
  expect((await sandbox.control('GET', '/clock')).answer).toMatchObject({ now: NOVEMBER, mode: 'running' })
})

test('the rate limit follows the clock, and starts again when the clock is set back', async () => {
  await using sandbox = await openSandbox(still)
  await sandbox.control('PATCH', '/behaviors', { rateLimit: '1/min' })
  const call = async () => (await sandbox.call('getTaxInvoiceList', {})).status
  expect([await call(), await call()]).toEqual([200, 429])
  await advance(sandbox, { minutes: 1 })
  expect([await call(), await call()]).toEqual([200, 429])
  await sandbox.control('PUT', '/clock', { now: '2026-01-01T00:00:00Z' })
  expect([await call(), await call()]).toEqual([200, 429])
})

test('webhooks are sent while the clock is frozen', async ({ receiver, sandbox }) => {
  await sandbox.control('PUT', '/clock', { now: NOVEMBER, mode: 'frozen' })
  const link = await sandbox.createLink({ payment_endpoint: receiver.url })
  const { answer } = await sandbox.control('POST', `/links/${link.id}/pay`)
  expect(answer.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ at: NOVEMBER }] }])
})

test('--clock starts a sandbox at another time, running, and a reset returns to it', async ({ folder }) => {
  const args = ['--port', '0', '--db', join(folder.path, 'sandbox.db')]
  {
    await using first = await startSandboxCli([...args, '--clock', '2027-02-03T04:05:06Z'], {
      cwd: folder.path,
    })
    const { control } = callsOf(first.url)
    const clock = async () => (await control('GET', '/clock')).answer
    expect(await clock()).toMatchObject({ now: expect.stringMatching(/^2027-02-03T04:/), mode: 'running' })
    await advance({ control }, { months: 1 })
    await control('POST', '/reset')
    expect((await clock()).now).toMatch(/^2027-02-03T04:/)
  }
  await using again = await startSandboxCli(args, {
    cwd: folder.path,
    env: { PAYLINK_CLOCK: '2026-12-24T18:00:00+01:00' },
  })
  expect((await callsOf(again.url).control('GET', '/clock')).answer.now).toMatch(/^2026-12-24T17:/)
})

test.for(['tomorrow', '9999-12-01T00:00:00Z'])('--clock %s is refused', async (clock, { folder }) => {
  const { code, stderr } = await runCli(['--clock', clock], { cwd: folder.path })
  expect([code, stderr.replace(clock, 'tomorrow')]).toEqual([
    2,
    '--clock is tomorrow. It must be an ISO 8601 time with a time zone, like 2026-12-01T00:00:00+01:00.\n',
  ])
})
