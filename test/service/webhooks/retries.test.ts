import SQLite from 'better-sqlite3'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startReceiver } from '../../support/receiver.ts'
import { market, openSandbox, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const NOON = '2026-11-10T12:00:00.000Z'
const after = (seconds: number): string => new Date(Date.parse(NOON) + seconds * 1_000).toISOString()

/** A receiver that answers 500 a number of times, and then 200. */
const startFailing = (times = Infinity) =>
  startReceiver((_received, response) => response.writeHead(times-- > 0 ? 500 : 200).end())

/** A sandbox whose clock is stopped at noon. */
async function openFrozen(retries: string, more: Parameters<typeof openSandbox>[0] = {}) {
  const sandbox = await openSandbox({ behaviors: { retries: retries as 'none' }, ...more })
  await sandbox.control('PUT', '/clock', { now: NOON, mode: 'frozen' })
  return sandbox
}

const advance = (sandbox: OpenSandbox, by: object) => sandbox.control('POST', '/clock/advance', by)

async function payTo(sandbox: OpenSandbox, target: string, wait: 'settled' | 'accepted' = 'settled') {
  const { id } = await sandbox.createLink({ payment_endpoint: target })
  const { answer } = await sandbox.control('POST', `/links/${id}/pay`, { wait })
  return answer.deliveries[0]!
}

async function delivery(sandbox: OpenSandbox, id: number) {
  const { answer } = await sandbox.control('GET', `/deliveries/${id}`)
  return { ...answer, times: answer.attempts.map(({ at }) => at) }
}

test('a webhook that will be retried is pending, shows when it is due, and delays no wait', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openFrozen('5s,30s')

  const paid = await payTo(sandbox, receiver.url)
  expect(paid).toMatchObject({ state: 'pending', nextAttemptAt: after(5), attempts: [{ status: 500 }] })
  await sandbox.settled()
  expect(receiver.received).toHaveLength(1)
})

test('attempts are made exactly at the configured delays, and the last one fails', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openFrozen('5s,30s,2m')
  const { id } = await payTo(sandbox, receiver.url)

  expect((await advance(sandbox, { seconds: 4 })).answer.attempts).toEqual([])
  const { answer } = await advance(sandbox, { seconds: 56 })
  expect(answer).toMatchObject({
    now: after(60),
    attempts: [
      { deliveryId: id, linkId: 1001, number: 2, at: after(5), status: 500, error: null, state: 'pending' },
      { deliveryId: id, linkId: 1001, number: 3, at: after(35), target: receiver.url, state: 'pending' },
    ],
  })
  expect((await advance(sandbox, { minutes: 10 })).answer.attempts).toMatchObject([
    { number: 4, at: after(155), state: 'failed' },
  ])
  expect((await advance(sandbox, { days: 1 })).answer.attempts).toEqual([])
  expect(await delivery(sandbox, id)).toMatchObject({
    state: 'failed',
    nextAttemptAt: null,
    possibleDuplicate: false,
    times: [NOON, after(5), after(35), after(155)],
  })
  expect(receiver.received.map(({ body }) => body)).toEqual(
    Array.from({ length: 4 }, () => receiver.received[0]!.body),
  )
})

test('attempts stop after a success', async () => {
  await using receiver = await startFailing(2)
  await using sandbox = await openFrozen('5s,30s,2m')
  const { id } = await payTo(sandbox, receiver.url)

  const { answer } = await advance(sandbox, { hours: 1 })
  expect(answer.attempts).toMatchObject([
    { status: 500, state: 'pending' },
    { status: 200, state: 'delivered' },
  ])
  expect(await delivery(sandbox, id)).toMatchObject({ state: 'delivered', nextAttemptAt: null })
  expect(receiver.received).toHaveLength(3)
})

test('advancing the clock waits for a webhook that is being sent', async () => {
  const answers: (() => void)[] = []
  await using receiver = await startReceiver((_received, response) => {
    answers.push(() => response.writeHead(500).end())
    if (answers.length > 1) response.end()
  })
  await using sandbox = await openFrozen('5s')
  const { id } = await payTo(sandbox, receiver.url, 'accepted')
  await receiver.count(1)

  const advancing = advance(sandbox, { minutes: 1 })
  // During this time, all callers see the same clock.
  expect((await sandbox.control('GET', '/clock')).answer).toMatchObject({ now: NOON })
  answers[0]!()
  expect((await advancing).answer.attempts).toMatchObject([{ number: 2, at: after(5), status: 200 }])
  expect((await delivery(sandbox, id)).times).toEqual([NOON, after(5)])
})

test('a receiver that hangs delays the clock no longer than its timeout', async () => {
  await using receiver = await startReceiver(() => {})
  await using sandbox = await openFrozen('5s', { deliveryTimeoutMs: 50 })
  await payTo(sandbox, receiver.url)

  expect((await advance(sandbox, { minutes: 1 })).answer).toMatchObject({
    now: after(60),
    attempts: [{ at: after(5), status: null, error: 'no answer within 0.05 s', state: 'failed' }],
  })
})

test('months that end between two attempts are billed, the oldest first', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openFrozen('20d,20d')
  await payTo(sandbox, receiver.url)

  const { answer } = await advance(sandbox, { months: 3 })
  expect(answer.attempts.map(({ at }) => at)).toEqual([
    '2026-11-30T12:00:00.000Z',
    '2026-12-20T12:00:00.000Z',
  ])
  expect(answer.issued).toMatchObject([{ createdAt: '2026-11-30T23:00:00.000Z' }])
  const journal = await sandbox.control('GET', '/events?type=delivery.attempted,invoice.issued')
  expect(journal.answer.events.map(({ type }) => type)).toEqual([
    'delivery.attempted',
    'delivery.attempted',
    'invoice.issued',
    'delivery.attempted',
  ])
})

test('after the clock is set forward, due attempts are made at once, at the new time', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openFrozen('5s,30s')
  const { id } = await payTo(sandbox, receiver.url)

  const { answer } = await sandbox.control('PUT', '/clock', { now: after(3600) })
  expect(answer.attempts).toMatchObject([{ number: 2, at: after(3600), state: 'pending' }])
  expect(await delivery(sandbox, id)).toMatchObject({ state: 'pending', nextAttemptAt: after(3630) })
})

test('after the clock is set back, a retry waits for its time', async () => {
  await using receiver = await startFailing(1)
  await using sandbox = await openFrozen('5s')
  const { id } = await payTo(sandbox, receiver.url)

  await sandbox.control('PUT', '/clock', { now: after(-3600) })
  expect((await advance(sandbox, { hours: 1 })).answer.attempts).toEqual([])
  expect(await delivery(sandbox, id)).toMatchObject({ state: 'pending', nextAttemptAt: after(5) })
  expect((await advance(sandbox, { seconds: 5 })).answer.attempts).toMatchObject([{ state: 'delivered' }])
})

test('advancing a running clock makes the same attempts as advancing a frozen one', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openSandbox({ behaviors: { retries: '5s,30s' }, now: () => new Date(NOON) })
  await payTo(sandbox, receiver.url)
  const { answer } = await advance(sandbox, { minutes: 1 })
  expect([answer.now, ...answer.attempts.map(({ at }) => at)]).toEqual([60, 5, 35].map(after))
})

test('a failed webhook is retried while the clock runs', async () => {
  await using receiver = await startFailing(2)
  await using sandbox = await openSandbox({ behaviors: { retries: '1s,1s' } })
  const { id } = await payTo(sandbox, receiver.url)

  const { status } = await sandbox.control('POST', '/events/wait', {
    match: { type: 'delivery.attempted', deliveryId: id, attempt: 3, httpStatus: 200 },
    timeoutMs: 20_000,
  })
  expect(status).toBe(200)
  expect(await delivery(sandbox, id)).toMatchObject({ state: 'delivered' })
  expect(sandbox.problems).toEqual([])
})

test('an invoice that falls due while the clock runs is issued once the database works again', async ({
  folder,
  receiver,
}) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openFrozen('none', { db })
  await payTo(sandbox, receiver.url)
  const other = new SQLite(db)
  other.exec(`create trigger stuck before insert on event when new.type = 'invoice.issued'
    begin select raise(abort, 'stuck'); end`)
  // A second before the month ends in Berlin.
  await sandbox.control('PUT', '/clock', { now: '2026-11-30T22:59:59.000Z', mode: 'running' })
  await expect.poll(() => sandbox.problems).toContainEqual(expect.objectContaining({ message: 'stuck' }))

  other.exec('drop trigger stuck')
  other.close()
  const { answer } = await sandbox.control('POST', '/events/wait', {
    match: { type: 'invoice.issued' },
    timeoutMs: 20_000,
  })
  expect(answer.events).toMatchObject([{ invoice: { serviceMonth: '2026-11' } }])
})

test('attempts that become due are made once a frozen clock runs again', async () => {
  await using receiver = await startFailing(1)
  await using sandbox = await openFrozen('1s')
  const { id } = await payTo(sandbox, receiver.url)

  await sandbox.control('PUT', '/clock', { mode: 'running' })
  await receiver.count(2)
  await sandbox.settled()
  expect(await delivery(sandbox, id)).toMatchObject({ state: 'delivered' })
})

test('a webhook that waits for a retry delays no other to the same target', async () => {
  let isDown = true
  await using receiver = await startReceiver(({ pairs }, response) => {
    response.writeHead(isDown && pairs['data[pay_id]'] === '1001' ? 500 : 200).end()
  })
  await using sandbox = await openFrozen('5s')
  const first = await payTo(sandbox, receiver.url)
  const second = await payTo(sandbox, receiver.url)
  expect([first.state, second.state]).toEqual(['pending', 'delivered'])
  isDown = false

  expect((await advance(sandbox, { seconds: 5 })).answer.attempts).toMatchObject([{ deliveryId: first.id }])
})

test('due webhooks are ordered by due time, then by id', async () => {
  const answers: (() => void)[] = []
  let isHeldUp = false
  await using receiver = await startReceiver((_received, response) => {
    const answer = () => void response.writeHead(500).end()
    if (isHeldUp) answers.push(answer)
    else answer()
  })
  await using sandbox = await openFrozen('10s')
  await payTo(sandbox, receiver.url)
  await advance(sandbox, { seconds: 1 })
  await payTo(sandbox, receiver.url)
  await sandbox.control('PATCH', '/behaviors', { retries: '5s' })
  await payTo(sandbox, receiver.url)

  isHeldUp = true
  const setting = sandbox.control('PUT', '/clock', { now: after(3600) })
  await receiver.count(4)
  await payTo(sandbox, receiver.url, 'accepted')
  await payTo(sandbox, receiver.url, 'accepted')
  isHeldUp = false
  answers[0]!()

  expect((await setting).answer.attempts.map(({ deliveryId }) => deliveryId)).toEqual([3, 1, 2])
  await sandbox.settled()
  expect(receiver.received.map(({ pairs }) => Number(pairs['data[pay_id]']))).toEqual(
    [1, 2, 3, 3, 1, 2, 4, 5].map((number) => 1000 + number),
  )
})

test('the delays are those of the account when the webhook was queued', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openFrozen('none')
  const scope = `/behaviors?account=${market.id}` as const
  await sandbox.control('PATCH', scope, { retries: '1h' })
  await sandbox.control('PATCH', `/accounts/${market.id}`, { paymentEndpoint: receiver.url })
  const { envelope } = await sandbox.call<{ id: number }>(
    'createLink',
    { amount: 1 },
    { token: market.apiKey },
  )
  const mine = await sandbox.control('POST', `/links/${envelope.data.id}/pay`)
  await sandbox.control('PATCH', scope, { retries: null })

  expect(mine.answer.deliveries).toMatchObject([{ state: 'pending', nextAttemptAt: after(3600) }])
  expect(await payTo(sandbox, receiver.url)).toMatchObject({
    accountId: shop.id,
    state: 'failed',
    nextAttemptAt: null,
  })
  expect((await advance(sandbox, { hours: 2 })).answer.attempts).toMatchObject([{ at: after(3600) }])
})

test('a held webhook is retried only after someone has allowed it', async () => {
  await using sandbox = await openFrozen('5s', { deliveryTimeoutMs: 50 })
  const { id, state } = await payTo(sandbox, 'http://shop.invalid/hook')
  expect([state, (await advance(sandbox, { hours: 1 })).answer.attempts]).toEqual(['held', []])

  const allowed = await sandbox.control('POST', `/deliveries/${id}/allow`)
  expect(allowed.answer).toMatchObject({ state: 'pending', nextAttemptAt: after(3605), heldReason: null })
  expect((await advance(sandbox, { hours: 1 })).answer.attempts).toMatchObject([
    { deliveryId: id, number: 2, at: after(3605), state: 'failed' },
  ])
})

test('a webhook that may never be sent is not retried', async () => {
  await using sandbox = await openFrozen('5s')
  expect(await payTo(sandbox, 'http://169.254.169.254/hook')).toMatchObject({
    state: 'failed',
    nextAttemptAt: null,
  })
})

test('a webhook resent by the API is retried, and a replay is not', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openFrozen('5s')
  const { id } = await payTo(sandbox, receiver.url)
  await advance(sandbox, { seconds: 5 })

  const replay = await sandbox.control('POST', `/deliveries/${id}/replay`)
  expect(replay.answer).toMatchObject({ state: 'failed', nextAttemptAt: null })
  const resent = await sandbox.call('sendWebhookViaPayId', { pay_ids: '1001', status: 'Success' })
  expect(resent.headers.get('sandbox-assumed')).toContain('retries')
  await sandbox.settled()
  expect((await advance(sandbox, { seconds: 5 })).answer.attempts).toMatchObject([
    { deliveryId: replay.answer.id + 1, number: 2, state: 'failed' },
  ])
})

test('simultaneous changes of the clock are made one after another', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openFrozen('5s,5s,5s,5s,5s,5s')
  await payTo(sandbox, receiver.url)

  const moves = await Promise.all(Array.from({ length: 5 }, () => advance(sandbox, { seconds: 6 })))
  const byEnd = moves.map(({ answer }) => answer).toSorted((one, other) => (one.now < other.now ? -1 : 1))
  expect(byEnd.map(({ now }) => now)).toEqual([6, 12, 18, 24, 30].map(after))
  expect(byEnd.flatMap(({ attempts }) => attempts.map(({ at }) => at))).toEqual(
    [5, 10, 15, 20, 25, 30].map(after),
  )
})

test.each([
  ['a reset', '/reset'],
  ['a restored snapshot', '/snapshots/before/restore'],
])('%s during a change of the clock ends this change and all that wait for it', async (_what, path) => {
  await using receiver = await startReceiver((_received, response) => {
    if (receiver.received.length === 1) response.writeHead(500).end()
  })
  await using sandbox = await openFrozen('5s')
  await sandbox.control('POST', '/snapshots', { name: 'before' })
  await payTo(sandbox, receiver.url)

  const moves = [
    sandbox.rawControl('POST', '/clock/advance', { hours: 1 }),
    sandbox.rawControl('POST', '/clock/advance', { hours: 1 }),
    sandbox.rawControl('PUT', '/clock', { now: after(7_200) }),
    sandbox.rawControl('DELETE', '/clock'),
  ]
  await receiver.count(2)
  await sandbox.rawControl('POST', path)
  for (const { status, answer } of await Promise.all(moves)) {
    expect([status, answer.detail]).toEqual([409, expect.stringContaining('The clock stopped early')])
  }
  expect((await advance(sandbox, { hours: 1 })).status).toBe(200)
  expect(sandbox.problems).toEqual([])
})

test('an attempt that cannot be recorded stops the clock change, and the next clock change repeats the attempt', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  await using receiver = await startFailing(1)
  await using sandbox = await openFrozen('5s', { db })
  const { id } = await payTo(sandbox, receiver.url)
  const other = new SQLite(db)
  other.exec(`create trigger full before insert on event when new.type = 'delivery.attempted'
    begin select raise(abort, 'it is full'); end`)
  expect((await advance(sandbox, { hours: 1 })).status).toBe(500)
  expect(sandbox.problems).toContainEqual(expect.objectContaining({ message: 'it is full' }))

  other.exec('drop trigger full')
  other.close()
  expect((await advance(sandbox, { hours: 1 })).answer.attempts).toMatchObject([
    { deliveryId: id, number: 2, at: after(5), state: 'delivered' },
  ])
  expect(await delivery(sandbox, id)).toMatchObject({ possibleDuplicate: true })
})

test('a restored snapshot retries its pending webhooks when they are due', async () => {
  await using receiver = await startFailing(1)
  await using sandbox = await openFrozen('5s')
  const { id } = await payTo(sandbox, receiver.url)
  await sandbox.control('POST', '/snapshots', { name: 'waiting' })

  await advance(sandbox, { hours: 1 })
  await sandbox.control('POST', '/snapshots/waiting/restore')
  expect(await delivery(sandbox, id)).toMatchObject({
    state: 'pending',
    nextAttemptAt: after(5),
    possibleDuplicate: true,
  })
  expect((await advance(sandbox, { hours: 1 })).answer.attempts).toMatchObject([
    { deliveryId: id, number: 2, at: after(5), state: 'delivered' },
  ])
  expect(receiver.received).toHaveLength(3)
})

test('the sandbox answers calls during two hundred simultaneous retries', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openFrozen(Array.from({ length: 20 }, () => '1h').join(','))
  for (let paid = 0; paid < 10; paid++) await payTo(sandbox, receiver.url, 'accepted')
  await sandbox.settled()

  let isOver = false
  const advancing = advance(sandbox, { days: 1 }).finally(() => (isOver = true))
  let answered = 0
  while (!isOver) {
    await sandbox.control('GET', '/clock')
    answered++
  }
  expect((await advancing).answer.attempts).toHaveLength(200)
  expect(answered).toBeGreaterThan(10)
})

test('a pending retry does not hold up a wait for the other webhooks', async () => {
  await using receiver = await startFailing()
  await using sandbox = await openFrozen('5s')
  await payTo(sandbox, receiver.url)

  const settled = await sandbox.control('POST', '/settle', { account: shop.id, timeoutMs: 0 })
  expect(settled).toMatchObject({ status: 200, answer: { deliveries: 1, failed: 0, pending: 1 } })
  const match = { type: 'delivery.attempted', httpStatus: 200 }
  const none = await sandbox.control('POST', '/events/expect-none', { match, timeoutMs: 0 })
  expect(none.status).toBe(200)
})

test('the reset of an account removes its retries from a running change of the clock', async () => {
  let answered = 0
  await using receiver = await startReceiver((_received, response) => {
    // The second attempt is never answered.
    if (answered++ === 0) response.writeHead(500).end()
  })
  await using sandbox = await openFrozen('5s')
  await payTo(sandbox, receiver.url)

  const moving = advance(sandbox, { seconds: 10 })
  await receiver.count(2)
  expect((await sandbox.control('POST', `/accounts/${shop.id}/reset`)).status).toBe(200)

  expect(await moving).toMatchObject({ status: 200, answer: { now: after(10), attempts: [] } })
})
