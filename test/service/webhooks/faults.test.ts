import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startReceiver } from '../../support/receiver.ts'
import { openSandbox, type OpenSandbox, type DeliveryJson } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const NOON = '2026-11-10T12:00:00.000Z'
const at = (seconds: number): string => new Date(Date.parse(NOON) + seconds * 1_000).toISOString()

type DeliveryWithFault = DeliveryJson & {
  readonly fault: { readonly id: number | null; readonly effect: string } | null
}

/** A sandbox whose clock is stopped at noon. */
async function openFrozen(behaviors = {}) {
  const sandbox = await openSandbox({ behaviors })
  await sandbox.control('PUT', '/clock', { now: NOON, mode: 'frozen' })
  return sandbox
}

async function arm(sandbox: OpenSandbox, fault: object): Promise<number> {
  const { status, answer } = await sandbox.rawControl<{ id: number }>('POST', '/faults', {
    on: 'webhook',
    ...fault,
  })
  expect(status).toBe(201)
  return answer.id
}

async function startServer(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function payTo(sandbox: OpenSandbox, target: string) {
  const { id } = await sandbox.createLink({ payment_endpoint: target })
  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
  return answer.deliveries[0]! as DeliveryWithFault
}

const attempts = async (sandbox: OpenSandbox) => {
  const { answer } = await sandbox.control('GET', '/events?type=delivery.attempted')
  return answer.events.map(({ fault }) => fault)
}

test('drop: the webhook never arrives, but the next webhook does', async ({ receiver, sandbox }) => {
  const id = await arm(sandbox, { script: 'drop' })

  const lost = await payTo(sandbox, receiver.url)
  expect(lost.state).toBe('failed')
  expect(lost.attempts[0]!.error).toBe('dropped by a fault')
  expect((await payTo(sandbox, receiver.url)).state).toBe('delivered')
  expect(receiver.received).toHaveLength(1)
  expect(await attempts(sandbox)).toEqual([{ id, effect: 'drop' }, undefined])
})

test('a script of statuses answers one attempt after another, and only the last attempt reaches the receiver', async ({
  receiver,
}) => {
  await using sandbox = await openFrozen({ retries: '1s,5s,30s' })
  await arm(sandbox, { script: '500,503,200' })

  const { id } = await payTo(sandbox, receiver.url)
  await sandbox.control('POST', '/clock/advance', { to: at(6) })
  const { answer } = await sandbox.control('GET', `/deliveries/${id}`)
  expect(answer.attempts.map(({ status }) => status)).toEqual([500, 503, 200])
  expect(answer.state).toBe('delivered')
  expect(receiver.received).toHaveLength(1)
  // A webhook that reached no receiver causes no diagnostic about a receiver.
  const { answer: found } = await sandbox.control('GET', '/diagnostics')
  expect(found.diagnostics.map(({ code }) => code)).not.toContain('receiverRefused')
})

test("delay: the webhook is sent after its delay on the sandbox's clock, and later webhooks are sent before it", async ({
  receiver,
}) => {
  await using sandbox = await openFrozen()
  const id = await arm(sandbox, { script: 'delay:5m' })

  const late = await payTo(sandbox, receiver.url)
  expect(late).toMatchObject({ state: 'pending', nextAttemptAt: at(300), fault: { id, effect: 'delay:5m' } })
  const second = await payTo(sandbox, receiver.url)
  expect(second.state).toBe('delivered')

  const { answer } = await sandbox.control('POST', '/clock/advance', {
    to: at(600),
  })
  expect(answer.attempts).toEqual([])
  expect(receiver.received.map(({ pairs }) => Number(pairs['data[pay_id]']))).toEqual([
    payIdOf(second),
    payIdOf(late),
  ])
  expect(await attempts(sandbox)).toEqual([undefined, { id, effect: 'delay:5m' }])
})

const payIdOf = ({ body }: DeliveryJson): number => Number(new URLSearchParams(body).get('data[pay_id]'))

test('reorder: the next webhook is sent first, however soon it follows', async ({ receiver }) => {
  await using sandbox = await openFrozen()
  await arm(sandbox, { script: 'reorder' })

  const first = await payTo(sandbox, receiver.url)
  expect(first.state).toBe('pending')
  const second = await payTo(sandbox, receiver.url)
  await receiver.count(2)
  expect(receiver.received.map(({ pairs }) => Number(pairs['data[pay_id]']))).toEqual([
    payIdOf(second),
    payIdOf(first),
  ])
})

test('reorder: a webhook that no other webhook follows is sent after a while', async ({ receiver }) => {
  await using sandbox = await openFrozen()
  await arm(sandbox, { script: 'reorder:10s' })

  expect((await payTo(sandbox, receiver.url)).nextAttemptAt).toBe(at(10))
  await sandbox.control('POST', '/clock/advance', { to: at(10) })
  expect(receiver.received).toHaveLength(1)
})

test('duplicate: the webhook arrives as often as the fault says, unchanged, and the copies get no fault', async ({
  receiver,
  sandbox,
}) => {
  const id = await arm(sandbox, { script: 'duplicate:2', times: 'always' })

  const origin = await payTo(sandbox, receiver.url)
  await sandbox.settled()
  expect(receiver.received.map(({ body }) => body)).toEqual([origin.body, origin.body, origin.body])
  const { answer } = await sandbox.control('GET', '/deliveries')
  expect(answer.deliveries.map(({ cause, replayOf, fault }) => [cause, replayOf, fault])).toEqual([
    ['duplicate', origin.id, { id, effect: 'duplicate:2' }],
    ['duplicate', origin.id, { id, effect: 'duplicate:2' }],
    ['outcome', null, { id, effect: 'duplicate:2' }],
  ])
})

test('slow: the body arrives in pieces, and completely', async ({ sandbox }) => {
  const pieces: string[] = []
  const server = createServer((incoming, response) => {
    incoming.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece))
    incoming.on('end', () => response.end())
  })
  await using receiver = await startServer(server)
  await arm(sandbox, { script: 'slow:300ms' })

  const { body, state } = await payTo(sandbox, receiver.url)
  expect(state).toBe('delivered')
  expect(pieces.join('')).toBe(body)
  expect(pieces.length).toBeGreaterThan(5)
})

test('slow: a webhook slower than the timeout is aborted', async () => {
  await using receiver = await startServer(createServer())
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 50 })
  await arm(sandbox, { script: 'slow:60s' })

  const { state, attempts: made } = await payTo(sandbox, receiver.url)
  expect(state).toBe('failed')
  expect(made[0]!.error).toBe('no answer within 0.05 s')
})

test('content-type: the body is the same with another content type', async ({ receiver, sandbox }) => {
  await arm(sandbox, { script: 'content-type:text/plain; charset=utf-8' })

  const { body } = await payTo(sandbox, receiver.url)
  expect(receiver.received[0]).toMatchObject({ contentType: 'text/plain; charset=utf-8', body })
})

test('a fault can be limited to targets that begin with a text', async ({ receiver, sandbox }) => {
  await using other = await startReceiver()
  await arm(sandbox, { script: 'drop', target: receiver.origin, times: 'always' })

  await payTo(sandbox, `${receiver.url},${other.url}`)
  expect([receiver.received.length, other.received.length]).toEqual([0, 1])
})

test('a fault can be limited to a tunnel by its full URL', async ({ sandbox }) => {
  await arm(sandbox, { script: 'drop', target: `${sandbox.url}/tunnel/` })

  expect((await payTo(sandbox, '')).state).toBe('failed')
})

test('a fault with a probability selects the same webhooks with the same seed', async () => {
  const droppedWithSeed = async (seed: number): Promise<boolean[]> => {
    await using receiver = await startReceiver()
    await using sandbox = await openSandbox()
    await arm(sandbox, { script: 'drop', probability: 0.5, seed })
    const states: boolean[] = []
    for (let number = 0; number < 20; number++) {
      states.push((await payTo(sandbox, receiver.url)).state === 'failed')
    }
    return states
  }
  const first = await droppedWithSeed(7)
  expect(await droppedWithSeed(7)).toEqual(first)
  expect(await droppedWithSeed(8)).not.toEqual(first)
  expect(new Set(first)).toEqual(new Set([true, false]))
})

test('delay: the webhook survives a restart', async ({ folder, receiver }) => {
  const db = join(folder.path, 'sandbox.db')
  {
    await using sandbox = await openSandbox({ db })
    await sandbox.control('PUT', '/clock', { now: NOON, mode: 'frozen' })
    await arm(sandbox, { script: 'delay:1h,drop' })
    await payTo(sandbox, receiver.url)
  }
  await using sandbox = await openSandbox({ db })
  await sandbox.control('POST', '/clock/advance', { to: at(3600) })
  expect(receiver.received).toHaveLength(1)
  // The script continues at its next step.
  expect((await payTo(sandbox, receiver.url)).attempts[0]!.error).toBe('dropped by a fault')
})

test.for([
  ['amount', { 'data[amount]': '0.01' }],
  ['user', { 'data[user_id]': '00000000-0000-4000-8000-00000000dead' }],
  ['payId', { 'data[pay_id]': '999999999' }],
  ['nothing', { 'data[status]': 'Success' }],
] as const)(
  'a forged webhook with the wrong %s reaches the receiver, and the link stays unpaid',
  async ([forgery, pairs], { receiver, sandbox }) => {
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
    const { status, answer } = await sandbox.control('POST', `/links/${id}/forged-webhook`, { forgery })

    expect(status).toBe(201)
    expect(answer.deliveries).toMatchObject([
      { state: 'delivered', cause: 'forged', fault: { id: null, effect: `forged:${forgery}` } },
    ])
    expect(receiver.received[0]!.pairs).toMatchObject(pairs)
    const { answer: link } = await sandbox.control('GET', `/links/${id}`)
    expect(link['status']).toBe('unused')
  },
)

test('an old webhook can be sent again unchanged, and without an old webhook this is refused', async ({
  receiver,
  sandbox,
}) => {
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  const early = await sandbox.rawControl('POST', `/links/${id}/forged-webhook`, { forgery: 'old' })
  expect(early.status).toBe(409)
  expect(early.answer.detail).toContain('has no webhook yet')

  await sandbox.control('POST', `/links/${id}/pay`)
  await sandbox.control('POST', `/links/${id}/forged-webhook`, { forgery: 'old' })
  expect(receiver.received.map(({ body }) => body)).toEqual([
    receiver.received[0]!.body,
    receiver.received[0]!.body,
  ])
})

test('an old webhook can be sent again after more than a thousand others', async ({ sandbox }) => {
  const targets = Array.from({ length: 100 }, (_, index) => `http://203.0.113.1/${index}`)
  const { id } = await sandbox.createLink({ payment_endpoint: targets.join(',') })
  const { answer: paid } = await sandbox.control('POST', `/links/${id}/pay`)
  const payIds = { pay_ids: String(paid.link.payId), status: 'Success' }
  for (let count = 0; count < 10; count++) await sandbox.call('sendWebhookViaPayId', payIds)

  const again = await sandbox.control('POST', `/links/${id}/forged-webhook`, {
    forgery: 'old',
  })

  expect(again.status).toBe(201)
  expect(again.answer.deliveries).toHaveLength(100)
  expect(new Set(again.answer.deliveries.map(({ body }) => body))).toEqual(
    new Set([paid.deliveries[0]!.body]),
  )
})

test('a fault applies only once, and makes its copies only once, even if the sandbox ends in between', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  let answers = false
  await using receiver = await startReceiver((_received, response) => {
    if (answers) response.end()
  })
  {
    await using sandbox = await openSandbox({ db })
    await arm(sandbox, { script: 'duplicate:2' })
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
    await sandbox.control('POST', `/links/${id}/pay`, { wait: 'accepted' })
    await receiver.count(1)
  }
  answers = true
  await using sandbox = await openSandbox({ db })
  await sandbox.settled()
  expect(receiver.received).toHaveLength(4)
  const { answer } = await sandbox.control('GET', '/faults')
  expect(answer.faults).toMatchObject([{ triggered: 1, remaining: 0 }])
})

test('a held webhook does not use up a fault until it is sent', async ({ sandbox }) => {
  await arm(sandbox, { script: 'drop' })
  const held = await payTo(sandbox, 'http://shop.invalid/hook')
  expect(held).toMatchObject({ state: 'held', fault: null })
  expect((await sandbox.control('GET', '/faults')).answer['faults']).toMatchObject([
    { triggered: 0, remaining: 1 },
  ])

  const { answer } = await sandbox.control('POST', `/deliveries/${held.id}/allow`)
  expect(answer.attempts[0]!.error).toBe('dropped by a fault')
})

test('for a webhook that is never sent, no fault is named as the cause', async ({ sandbox }) => {
  await arm(sandbox, { script: '500' })
  expect((await payTo(sandbox, 'http://169.254.169.254/hook')).attempts[0]!.error).toContain('link-local')
  expect(await attempts(sandbox)).toEqual([undefined])
})

test.each([{}, { body: 'data[status]=Success' }])(
  'a forged webhook is still forged when it is replayed with %j',
  async (changes) => {
    await using sandbox = await openSandbox({ allowedHosts: ['shop.invalid'] })
    const { id } = await sandbox.createLink({ payment_endpoint: 'http://shop.invalid/hook' })
    const { answer } = await sandbox.control('POST', `/links/${id}/forged-webhook`)
    const { answer: replay } = await sandbox.control(
      'POST',
      `/deliveries/${answer.deliveries[0]!.id}/replay`,
      changes,
    )
    expect(replay.attempts[0]!.error).toContain('forged webhooks are never sent elsewhere')
  },
)

test('forged webhooks never leave for a public host, even if it is allowed', async () => {
  await using sandbox = await openSandbox({ allowedHosts: ['example.com'] })
  const { id } = await sandbox.createLink({ payment_endpoint: 'http://example.com/hook' })
  const { answer } = await sandbox.control('POST', `/links/${id}/forged-webhook`)

  expect(answer.deliveries[0]).toMatchObject({ state: 'failed' })
  expect(answer.deliveries[0]!.attempts[0]!.error).toContain('forged webhooks are never sent elsewhere')
})
