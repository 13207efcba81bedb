import SQLite from 'better-sqlite3'
import { join } from 'node:path'
import { expect } from 'vitest'
import { market, openSandbox, shop, type OpenSandbox, type PaymentResult } from '../../support/sandbox.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

/** Pays a new link with these webhook targets. */
async function payTo(
  sandbox: OpenSandbox,
  targets: string,
  wait: 'settled' | 'accepted' = 'settled',
): Promise<PaymentResult> {
  const { id } = await sandbox.createLink({ payment_endpoint: targets })
  const { answer } = await sandbox.control('POST', `/links/${id}/pay`, { wait })
  return answer
}

test('the webhook has the documented body, and the journal has the request and the answer', async ({
  sandbox,
}) => {
  await using receiver = await startReceiver((_received, response) => {
    response.writeHead(201, { 'x-shop': 'yes' }).end('thank you')
  })
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url, recipient_note: 'Blüten & Co' })
  await sandbox.control('POST', `/links/${id}/pay`)

  expect(receiver.received).toHaveLength(1)
  const [received] = receiver.received
  expect(received!.contentType).toBe('application/x-www-form-urlencoded')
  expect(received!.pairs).toEqual({
    ResponseCode: '1',
    'data[pay_id]': '1001',
    'data[note]': 'Blüten & Co',
    'data[amount]': '100',
    'data[user_id]': shop.id,
    'data[status]': 'Success',
  })
  const { answer } = await sandbox.control('GET', '/deliveries/1')
  const [attempt] = answer.attempts
  expect(answer).toMatchObject({
    state: 'delivered',
    reason: "The link's payment_endpoint names this URL",
    body: received!.body,
  })
  expect(attempt!.exchange!.request.headers.flat()).toEqual(received!.rawHeaders)
  expect(attempt!.exchange!.request.body.content).toBe(received!.body)
  expect(attempt!.exchange!.response).toMatchObject({ status: 201, body: { content: 'thank you', size: 9 } })
  expect(attempt!.exchange!.response).toMatchObject({ headers: expect.arrayContaining([['x-shop', 'yes']]) })
})

test('a link without a target uses the payment endpoint of its account at the time of payment', async ({
  receiver,
  sandbox,
}) => {
  const { id } = await sandbox.createLink()
  await sandbox.control('PATCH', `/accounts/${shop.id}`, { paymentEndpoint: receiver.url })

  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
  expect(answer.deliveries).toMatchObject([{ target: receiver.url, state: 'delivered' }])
  expect(receiver.received).toHaveLength(1)
})

test('a link without a target, of an account without a payment endpoint, sends nothing', async ({
  sandbox,
}) => {
  await sandbox.control('PATCH', `/accounts/${shop.id}`, { paymentEndpoint: '' })
  const { id } = await sandbox.createLink()

  expect((await sandbox.control('POST', `/links/${id}/pay`)).answer.deliveries).toEqual([])
})

test('a redirect is not followed', async ({ sandbox }) => {
  await using elsewhere = await startReceiver()
  await using receiver = await startReceiver((_received, response) => {
    response.writeHead(302, { location: elsewhere.url }).end()
  })

  const { deliveries } = await payTo(sandbox, receiver.url)

  expect(deliveries).toMatchObject([{ state: 'failed', attempts: [{ status: 302, error: null }] }])
  expect(elsewhere.received).toEqual([])
})

test('a receiver that never answers times out, and the attempt records it', async () => {
  await using receiver = await startReceiver(() => {})
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 50 })

  const { deliveries } = await payTo(sandbox, receiver.url)
  expect(deliveries).toMatchObject([
    { state: 'failed', attempts: [{ status: null, error: 'no answer within 0.05 s' }] },
  ])
})

test('an attempt times out even if garbage is collected during the attempt', async () => {
  await using receiver = await startReceiver(() => {})
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 300 })
  const paying = payTo(sandbox, receiver.url)
  await receiver.count(1)
  collectGarbage()
  expect((await paying).deliveries).toMatchObject([{ state: 'failed' }])
})

test('a receiver whose answer never ends counts as having answered', async () => {
  await using receiver = await startReceiver((_received, response) => {
    response.writeHead(200).write('so far')
  })
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 1_000 })

  const { deliveries } = await payTo(sandbox, receiver.url)
  expect(deliveries).toMatchObject([
    { state: 'delivered', attempts: [{ status: 200, error: 'its answer did not end within 1 s' }] },
  ])
})

test.for<[what: string, target: (origin: string) => string, error: RegExp]>([
  [
    'nothing listens',
    () => 'http://127.0.0.1:9/hook',
    /^connection refused, nothing listens on 127\.0\.0\.1:9$/,
  ],
  ['the connection is cut', (origin) => `${origin}/cut`, /^connection closed before an answer came$/],
])('if %s, the error of the attempt explains it', async ([_what, target, error], { sandbox }) => {
  await using receiver = await startReceiver((_received, _response, request) => request.socket.destroy())

  const { deliveries } = await payTo(sandbox, target(receiver.origin))
  expect(deliveries).toMatchObject([
    { state: 'failed', attempts: [{ status: null, error: expect.stringMatching(error) }] },
  ])
})

test('up to 64 KiB of an answer are recorded', async ({ sandbox }) => {
  await using receiver = await startReceiver((_received, response) => {
    response.end('x'.repeat(300_000))
  })

  await payTo(sandbox, receiver.url)
  const { answer } = await sandbox.control('GET', '/deliveries/1')
  const { content, size } = answer.attempts[0]!.exchange!.response!.body
  expect(content).toHaveLength(65_536)
  expect(size).toBeGreaterThan(65_536)
})

test('a fault that a receiver adds while webhooks wait for it applies to the next one', async ({
  sandbox,
}) => {
  const fault = { on: 'webhook', script: ['503'], times: 1 } as const
  await using receiver = await startReceiver((_received, response) => {
    const added =
      receiver.received.length === 60 ? sandbox.control('POST', '/faults', fault) : Promise.resolve()
    void added.then(() => response.end())
  })
  const paid = await Promise.all(Array.from({ length: 40 }, () => payTo(sandbox, receiver.url)))
  const pay_ids = paid.map(({ link }) => link.payId).join(',')
  await sandbox.call('sendWebhookViaPayId', { pay_ids, status: 'Success' })
  await sandbox.settled()

  const { answer } = await sandbox.control('GET', '/deliveries?limit=100')
  const states = answer.deliveries.toReversed().map(({ state }) => state)
  expect(states.indexOf('failed')).toBe(60)
  expect(states.filter((state) => state === 'failed')).toHaveLength(1)
  expect(answer.deliveries.filter(({ possibleDuplicate }) => possibleDuplicate)).toEqual([])
})

test('a target gets its webhooks one by one, oldest first', async ({ sandbox }) => {
  let underway = 0
  let most = 0
  await using receiver = await startReceiver((_received, response) => {
    most = Math.max(most, ++underway)
    setImmediate(() => {
      underway--
      response.end()
    })
  })

  await Promise.all(Array.from({ length: 30 }, () => payTo(sandbox, receiver.url, 'accepted')))
  await sandbox.settled()

  const { answer } = await sandbox.control('GET', '/deliveries?limit=100')
  expect(answer.deliveries.toReversed().map(({ body }) => body)).toEqual(
    receiver.received.map(({ body }) => body),
  )
  expect([receiver.received.length, most]).toEqual([30, 1])
})

test('a slow target delays neither the others nor the redirect', async ({ sandbox }) => {
  const slowAnswers: (() => void)[] = []
  await using slow = await startReceiver((_received, response) => slowAnswers.push(() => response.end()))
  await using fast = await startReceiver()

  await payTo(sandbox, slow.url, 'accepted')
  await slow.count(1)
  const link = await sandbox.createLink({
    payment_endpoint: `${slow.url},${fast.url}`,
    callback_url: 'http://shop.test',
  })
  const redirect = await sandbox.submit(link.pay_link, { method: 'card', outcome: 'pay' })
  await fast.count(1)

  expect(redirect.status).toBe(302)
  expect(slow.received).toHaveLength(1)
  slowAnswers[0]!()
  await slow.count(2)
  slowAnswers[1]!()
  await sandbox.settled()
  const { answer } = await sandbox.control('GET', '/deliveries')
  expect(answer.deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
})

test('a receiver that closes its connections silently gets every webhook', async ({ sandbox }) => {
  await using receiver = await startReceiver((_received, response, request) => {
    response.setHeader('connection', 'keep-alive')
    response.end()
    response.once('finish', () => setImmediate(() => request.socket.destroy()))
  })
  await Promise.all(Array.from({ length: 30 }, () => payTo(sandbox, receiver.url, 'accepted')))
  await sandbox.settled()

  const { answer } = await sandbox.control('GET', '/deliveries?state=delivered')
  expect(answer.deliveries).toHaveLength(30)
})

test('after a reset, a wait for webhooks of one account ignores those of other accounts', async ({
  sandbox,
}) => {
  const answers: (() => void)[] = []
  await using receiver = await startReceiver((_received, response) => answers.push(() => response.end()))
  const waiting = payTo(sandbox, receiver.url)
  await receiver.count(1)

  await Promise.all([
    sandbox.control('POST', '/reset'),
    sandbox.call('createLink', { amount: 99 }, { token: market.apiKey }),
    sandbox.control('POST', '/links/1001/pay', { wait: 'accepted' }),
  ])
  expect((await waiting).deliveries).toMatchObject([{ accountId: shop.id, target: receiver.url }])
  answers[0]!()
})

test('a webhook cannot call the control API of its own sandbox', async () => {
  await using sandbox = await openSandbox({ behaviors: { webhookEncoding: 'json' } })
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.call('refundPayment', { pay_id: 1001, refund_amount: 1 })

  const { deliveries } = await payTo(sandbox, `${sandbox.url}/_sandbox/v1/refunds/1001/approve`)
  expect(deliveries).toMatchObject([{ state: 'failed', attempts: [{ status: 403 }] }])
  expect((await sandbox.control('GET', '/refunds')).answer).toMatchObject({ refunds: [{ state: 'pending' }] })
})

test('a reset during an attempt leaves nothing of the attempt', async ({ sandbox }) => {
  const answers: (() => void)[] = []
  await using receiver = await startReceiver((_received, response) => answers.push(() => response.end()))

  await payTo(sandbox, receiver.url, 'accepted')
  await receiver.count(1)
  await sandbox.control('POST', '/reset')
  const second = payTo(sandbox, receiver.url)
  answers[0]!()
  await receiver.count(2)
  answers[1]!()

  expect((await second).deliveries).toMatchObject([
    { id: 1, state: 'delivered', attempts: [{ number: 1, status: 200 }] },
  ])
  const { answer } = await sandbox.control('GET', '/events')
  expect(answer.events.map(({ seq }) => seq)).toEqual(answer.events.map((_event, index) => index + 1))
  expect(answer.events.filter(({ type }) => type === 'delivery.attempted')).toHaveLength(1)
})

test('a webhook to a target that is not a URL fails for good, and delays no other webhook', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  await payTo(first, 'http://example.com/')
  await first.close()
  const file = new SQLite(db)
  file.exec("update delivery set target = 'http://', state = 'pending', retries = '5s'")
  file.close()

  await using second = await openSandbox({ db })
  await second.control('POST', '/settle')
  const { answer } = await second.control('GET', '/deliveries/1')
  expect(answer).toMatchObject({ state: 'failed', attempts: [{ error: 'http:// is not a URL' }] })
  expect(second.problems).toEqual([])
})

test('a webhook is sent once the database works again, without a restart', async ({ folder, receiver }) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  const other = new SQLite(db)
  other.exec(`create trigger broken before update on delivery begin select raise(abort, 'broken'); end`)
  await sandbox.control('POST', `/links/${id}/pay`, { wait: 'accepted' })
  await expect.poll(() => sandbox.problems).toMatchObject([{ message: 'broken' }])
  expect(receiver.received).toEqual([])

  other.exec('drop trigger broken')
  other.close()
  await receiver.count(1)
  await sandbox.settled()
  expect((await sandbox.control('GET', '/deliveries/1')).answer).toMatchObject({ state: 'delivered' })
})
