import SQLite from 'better-sqlite3'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  CALLBACK,
  CARD,
  eventsOf,
  holdReceiver,
  payBehindAnotherResponse,
} from '../../support/ordered-payments.ts'
import { startReceiver } from '../../support/receiver.ts'
import { openSandbox, shop } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const REDIRECT_LOCATION = `${CALLBACK}?pay_id=1001&status=Success`

const webhookFirst = (more: object = {}) => openSandbox({ behaviors: { order: 'webhook-first' }, ...more })

test('webhook-first: the attempt is recorded before the redirect, and both events name the behavior order', async () => {
  await using receiver = await startReceiver((_received, response) => response.writeHead(503).end())
  await using sandbox = await webhookFirst({ behaviors: { order: 'webhook-first', retries: '5s' } })
  const link = await sandbox.createLink({
    callback_url: CALLBACK,
    payment_endpoint: `${receiver.url},${receiver.url}/b`,
  })

  const response = await sandbox.submit(link.pay_link, CARD)

  expect([response.status, response.headers.get('location')]).toEqual([302, REDIRECT_LOCATION])
  expect(response.headers.get('sandbox-assumed')).toContain('order')
  expect(await eventsOf(sandbox)).toEqual([
    'link.paid',
    'delivery.queued',
    'delivery.queued',
    'delivery.attempted',
    'delivery.attempted',
    'redirect.sent',
  ])
  const { answer } = await sandbox.control('GET', '/events?type=redirect.sent')
  expect(answer.events).toMatchObject([
    { location: REDIRECT_LOCATION, status: 'Success', assumed: ['statusText', 'order'] },
  ])
})

test.each([
  ['is silent', undefined, 'no answer within 0.1 s'],
  ['is not allowed', 'http://example.com/hook', null],
  ['is gone', 'http://127.0.0.1:9/', expect.stringContaining('refused')],
])('webhook-first: if the receiver %s, the customer is redirected anyway', async (_what, target, error) => {
  await using silent = await startReceiver(() => {})
  // The other tests do not wait for this timeout, however busy the machine is.
  await using sandbox = await webhookFirst({ deliveryTimeoutMs: target === undefined ? 100 : 60_000 })
  const link = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: target ?? silent.url })

  const response = await sandbox.submit(link.pay_link, CARD)

  expect([response.status, response.headers.get('location')]).toEqual([302, REDIRECT_LOCATION])
  const { answer } = await sandbox.control('GET', '/deliveries/1')
  expect(answer.attempts.map((one) => one.error)).toEqual(error === null ? [] : [error])
})

test('webhook-first: a second click also waits, and redirects to the shop', async () => {
  await using receiver = await holdReceiver()
  await using sandbox = await webhookFirst()
  const link = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })

  const first = sandbox.submit(link.pay_link, CARD)
  await receiver.count(1)
  let isAnswered = false
  const second = sandbox.submit(link.pay_link, CARD).finally(() => (isAnswered = true))
  const other = await sandbox.createLink()
  await fetch(other.pay_link)
  expect(isAnswered).toBe(false)
  receiver.answer()

  expect((await first).headers.get('location')).toBe(REDIRECT_LOCATION)
  const page = await second
  expect(page.status).toBe(409)
  expect(await page.text()).toContain(`href="${REDIRECT_LOCATION.replace('&', '&amp;')}"`)
})

test('webhook-first: a customer who leaves while waiting is not redirected, and the journal records it', async () => {
  await using receiver = await holdReceiver()
  await using sandbox = await webhookFirst()
  const link = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  const leaving = new AbortController()
  const left = fetch(link.pay_link, {
    method: 'POST',
    body: new URLSearchParams(CARD),
    redirect: 'manual',
    signal: leaving.signal,
  })
  await receiver.count(1)
  leaving.abort()
  await expect(left).rejects.toThrow()

  const { answer } = await sandbox.control('POST', '/events/wait', { match: { type: 'redirect.lost' } })
  expect(answer).toMatchObject({ events: [{ location: REDIRECT_LOCATION }] })
  receiver.answer()
  await sandbox.settled()
  expect(await eventsOf(sandbox)).toEqual([
    'link.paid',
    'delivery.queued',
    'redirect.lost',
    'delivery.attempted',
  ])
  expect(sandbox.problems).toEqual([])
})

test.each([
  ['the sandbox', '/reset'],
  ['the account', `/accounts/${shop.id}/reset`],
])('webhook-first: a reset of %s sends the waiting customer to the current page', async (_what, path) => {
  await using receiver = await holdReceiver()
  await using sandbox = await webhookFirst()
  const link = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  const paying = sandbox.submit(link.pay_link, CARD)
  await receiver.count(1)

  expect((await sandbox.rawControl('POST', path)).status).toBe(200)

  const response = await paying
  expect([response.status, response.headers.get('location')]).toEqual([303, '/payment?link_id=MTAwMQ%3D%3D'])
  expect((await fetch(link.pay_link)).status).toBe(404)
  expect(sandbox.problems).toEqual([])
})

test('webhook-first: after restoring a snapshot no customer waits, and its webhook is sent', async () => {
  await using receiver = await holdReceiver()
  await using sandbox = await webhookFirst()
  const link = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  const paying = sandbox.submit(link.pay_link, CARD)
  await receiver.count(1)
  await sandbox.control('POST', '/snapshots', { name: 'half' })
  await sandbox.control('POST', '/snapshots/half/restore')

  expect((await paying).status).toBe(303)
  receiver.answer()
  await receiver.count(2)
  receiver.answer()
  await sandbox.settled()
  expect(await eventsOf(sandbox, /redirect|attempted/)).toEqual(['redirect.lost', 'delivery.attempted'])
})

test('webhook-first: the page after a bank transfer also waits for the webhook', async () => {
  await using receiver = await holdReceiver()
  await using sandbox = await webhookFirst()
  const link = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  await sandbox.submit(link.pay_link, { method: 'bank-transfer', outcome: 'pay' })
  await sandbox.control('POST', '/links/1001/approve-transfer', { wait: 'accepted' })
  await receiver.count(1)

  const status = link.pay_link.replace('/payment?', '/payment/status?')
  expect(await (await fetch(status)).json()).toEqual({ waiting: true })
  const goingBack = fetch(`${link.pay_link}&waiting`, { redirect: 'manual' })
  receiver.answer()

  expect((await goingBack).headers.get('location')).toBe(REDIRECT_LOCATION)
  expect(await (await fetch(status)).json()).toEqual({ waiting: false })
  expect(await eventsOf(sandbox)).toEqual([
    'link.paid',
    'delivery.queued',
    'delivery.attempted',
    'redirect.sent',
  ])
})

test.for(['webhook-first', 'redirect-first'] as const)(
  '%s: a payment by the control API settles, and the journal shows whether redirect or webhook came first',
  async (order, { receiver }) => {
    await using sandbox = await openSandbox({ behaviors: { order } })
    for (const wait of ['settled', 'accepted'] as const) {
      const { id } = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
      const { answer } = await sandbox.control('POST', `/links/${id}/pay`, { wait })
      expect(answer.redirect?.location).toBe(`${CALLBACK}?pay_id=${id}&status=Success`)
      await sandbox.control('POST', '/settle')
    }
    const attempted = ['delivery.queued', 'delivery.attempted']
    const one =
      order === 'webhook-first'
        ? ['link.paid', ...attempted, 'redirect.sent']
        : ['link.paid', 'redirect.sent', ...attempted]
    expect(await eventsOf(sandbox)).toEqual([...one, ...one])
  },
)

test.for(['webhook-first', 'redirect-first'] as const)(
  '%s: the webhook is sent at once if there is no callback URL or the browser is closed',
  async (order, { receiver }) => {
    await using sandbox = await openSandbox({ behaviors: { order } })
    const plain = await sandbox.createLink({ payment_endpoint: receiver.url })
    const closed = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })

    expect((await sandbox.submit(plain.pay_link, CARD)).status).toBe(303)
    const response = await sandbox.submit(closed.pay_link, { ...CARD, outcome: 'pay-and-close' })
    expect([response.status, response.headers.get('sandbox-assumed')]).toEqual([
      303,
      expect.not.stringContaining('order'),
    ])
    await sandbox.settled()
    expect(receiver.received).toHaveLength(2)
  },
)

test.for(['webhook-first', 'redirect-first'] as const)(
  '%s: the behavior order also applies to pay URLs and cancellations',
  async (order, { receiver }) => {
    await using sandbox = await openSandbox({ behaviors: { order } })
    const [paid, cancelled] = [
      await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url }),
      await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url }),
    ]
    expect((await fetch(`${paid.pay_link}&outcome=card`, { redirect: 'manual' })).status).toBe(302)
    await sandbox.settled()
    expect((await sandbox.submit(cancelled.pay_link, { ...CARD, outcome: 'cancel' })).status).toBe(302)
    await sandbox.settled()

    const told = await eventsOf(sandbox, /^(redirect|delivery\.attempted)/)
    const one = ['delivery.attempted', 'redirect.sent']
    expect(told).toEqual(
      order === 'webhook-first' ? [...one, ...one] : [...one.toReversed(), ...one.toReversed()],
    )
  },
)

test('redirect-first: a webhook that waits for its redirect is not settled, and delays no other', async ({
  receiver,
}) => {
  await using sandbox = await openSandbox({ behaviors: { order: 'redirect-first' } })
  await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  const other = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  const socket = await payBehindAnotherResponse(sandbox)
  let isSettled = false
  const settled = sandbox.settled().finally(() => (isSettled = true))

  await sandbox.submit(other.pay_link, CARD)
  await receiver.count(1)
  expect(receiver.received[0]!.pairs['data[pay_id]']).toBe('1002')
  expect((await sandbox.control('POST', '/settle', { timeoutMs: 0 })).status).toBe(408)
  await sandbox.control('POST', '/clock/advance', { days: 1 })
  expect([isSettled, (await sandbox.control('GET', '/deliveries/1')).answer.state]).toEqual([
    false,
    'pending',
  ])

  socket.destroy()
  await settled
  expect(receiver.received).toHaveLength(2)
  expect(sandbox.problems).toEqual([])
})

test('redirect-first: a reset removes the waiting webhook, and the late redirect starts no other webhook', async ({
  receiver,
}) => {
  await using sandbox = await openSandbox({ behaviors: { order: 'redirect-first' } })
  await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  const before = await payBehindAnotherResponse(sandbox)
  await sandbox.control('POST', '/reset')
  await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  const after = await payBehindAnotherResponse(sandbox)
  before.destroy()
  expect((await sandbox.control('POST', '/settle', { timeoutMs: 100 })).status).toBe(408)

  after.destroy()
  await sandbox.settled()
  expect(receiver.received).toHaveLength(1)
})

test('redirect-first: a webhook that could not be started is sent once the database works again', async ({
  folder,
  receiver,
}) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db, behaviors: { order: 'redirect-first' } })
  const link = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  const other = new SQLite(db)
  other.exec(`create trigger stuck before update on delivery when old.state = 'planned' and new.state = 'pending'
    begin select raise(abort, 'stuck'); end`)
  expect((await sandbox.submit(link.pay_link, CARD)).headers.get('location')).toBe(REDIRECT_LOCATION)
  await expect.poll(() => sandbox.problems).toContainEqual(expect.objectContaining({ message: 'stuck' }))
  expect(receiver.received).toEqual([])

  other.exec('drop trigger stuck')
  other.close()
  await receiver.count(1)
  await sandbox.settled()
  expect((await sandbox.control('GET', '/deliveries/1')).answer).toMatchObject({ state: 'delivered' })
})

test.for([
  ['lost', null, 303, 'redirect.lost'],
  ['pay-id:7', 'http://shop.test/done?pay_id=7&status=Success', 302, 'redirect.sent'],
] as const)(
  'webhook-first: the fault %s applies to a redirect after its wait',
  async ([script, location, status, type], { receiver }) => {
    await using sandbox = await webhookFirst()
    await sandbox.control('POST', '/faults', { on: 'redirect', script })
    const link = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })

    const response = await sandbox.submit(link.pay_link, CARD)

    expect([response.status, response.headers.get('location')]).toEqual([
      status,
      location ?? '/payment/closed?link_id=MTAwMQ%3D%3D',
    ])
    await sandbox.settled()
    expect(await eventsOf(sandbox, /^redirect/)).toEqual([type])
  },
)

test('webhook-first: a webhook delayed by a fault does not delay the redirect', async ({ receiver }) => {
  await using sandbox = await webhookFirst({ clock: '2026-07-01T10:00:00Z' })
  await sandbox.control('PUT', '/clock', { mode: 'frozen' })
  await sandbox.control('POST', '/faults', { on: 'webhook', script: 'delay:1h' })
  const link = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })

  expect((await sandbox.submit(link.pay_link, CARD)).status).toBe(302)
  expect(receiver.received).toEqual([])
  await sandbox.control('POST', '/clock/advance', { days: 1 })
  expect(receiver.received).toHaveLength(1)
})
