import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { listenAt } from '../../support/listen-at.ts'
import { startRawReceiver } from '../../support/raw-receiver.ts'
import { NOON, openSandbox, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

type Control = Pick<OpenSandbox, 'control'>

/** The part of the webhook that says who answered. */
async function outcomeOf({ control }: Control, id = 1) {
  const { state, storedIn, attempts } = (await control('GET', `/deliveries/${id}`)).answer
  const { status, storedIn: answeredBy, takenBy } = attempts.at(-1)!
  const taken = takenBy && `${takenBy.listener} ${takenBy.status}`
  return { state, storedIn, status, answeredBy, taken }
}

async function countsOf({ control }: Control): Promise<readonly [delivered: number, stored: number]> {
  const { answer } = await control('POST', '/settle')
  return [answer.delivered, answer.stored]
}

const waitForAnswer = ({ control }: Control, listener: string, count = 1) =>
  control('POST', '/events/wait', {
    match: { type: 'tunnel.answered', listener, capturedDeliveryId: 1 },
    count,
    timeoutMs: 60_000,
  })

async function payAtTunnel({ createLink, control }: Pick<OpenSandbox, 'createLink' | 'control'>) {
  await createLink()
  await control('POST', '/links/1001/pay')
}

const STORED = { state: 'delivered', storedIn: 'flower-shop', answeredBy: 'flower-shop', taken: undefined }

test.for<[how: string, answer: object | undefined, status: number]>([
  ['by default', undefined, 200],
  ['with an answer that was set', { status: 202, body: 'ok' }, 202],
  [
    'with an answer that names another tunnel',
    { status: 200, headers: [['Sandbox-Stored-In', 'other']], body: '' },
    200,
  ],
])('%s, a webhook to a tunnel without a listener is stored', async ([_how, answer, status], { sandbox }) => {
  if (answer) await sandbox.control('PUT', '/tunnels/flower-shop/answer', answer)

  await payAtTunnel(sandbox)
  const { answer: listed } = await sandbox.control('GET', '/deliveries?stored=true')
  const { answer: found } = await sandbox.control('POST', '/events/wait', {
    match: { type: 'delivery.attempted', state: 'delivered', storedIn: 'flower-shop' },
  })

  expect(await outcomeOf(sandbox)).toEqual({ ...STORED, status })
  expect(await countsOf(sandbox)).toEqual([1, 1])
  expect(listed.deliveries).toMatchObject([{ id: 1 }])
  expect(found.events).toMatchObject([{ deliveryId: 1, httpStatus: status }])
})

test('if a tunnel answers with an error, the attempt has failed, and says who answered', async ({
  sandbox,
}) => {
  await sandbox.control('PUT', '/tunnels/flower-shop/answer', { status: 500 })

  await payAtTunnel(sandbox)

  expect(await outcomeOf(sandbox)).toEqual({
    state: 'failed',
    storedIn: undefined,
    status: 500,
    answeredBy: 'flower-shop',
    taken: undefined,
  })
})

test.for(['a listener', 'a receiver'] as const)(
  'a webhook that %s answers is not stored, whatever the app says',
  async (who, { sandbox }) => {
    await using app = await startRawReceiver((response) =>
      response.writeHead(201, { 'sandbox-stored-in': 'flower-shop' }).end(),
    )
    if (who === 'a receiver') {
      await sandbox.control('PATCH', `/accounts/${shop.id}`, {
        paymentEndpoint: `${app.origin}/tunnel/flower-shop`,
      })
    } else await listenAt(sandbox.url, { tunnel: 'flower-shop', forwardTo: app.origin, name: 'me' })

    await payAtTunnel(sandbox)

    expect(app.received).toHaveLength(1)
    expect(await outcomeOf(sandbox)).toMatchObject({
      state: 'delivered',
      storedIn: undefined,
      status: 201,
      answeredBy: undefined,
    })
    expect(await countsOf(sandbox)).toEqual([1, 0])
  },
)

test('a webhook is stored until a listener fetches it, even after a restart', async () => {
  const db = join(mkdtempSync(join(tmpdir(), 'paylink-stored-')), 'sandbox.db')
  await using app = await startRawReceiver((response) => response.writeHead(204).end())
  await using before = await openSandbox({ db })
  await payAtTunnel(before)
  await before.close()

  await using sandbox = await openSandbox({ db })
  expect(await outcomeOf(sandbox)).toEqual({ ...STORED, status: 200 })
  await using _new = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: app.origin,
    name: 'new',
  })
  expect(await outcomeOf(sandbox)).toEqual({ ...STORED, status: 200 })
  await using _all = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: app.origin,
    name: 'all',
    since: 'all',
  })
  await waitForAnswer(sandbox, 'all')
  const taken = { state: 'delivered', storedIn: undefined, answeredBy: 'flower-shop', taken: 'all 204' }
  expect(await outcomeOf(sandbox)).toEqual({ ...taken, status: 200 })
  expect(await countsOf(sandbox)).toEqual([1, 0])

  await sandbox.close()
  await using after = await openSandbox({ db })
  expect(await outcomeOf(after)).toEqual({ ...taken, status: 200 })
})

test('if two listeners fetch a stored webhook, one success is enough', async ({ sandbox }) => {
  await using broken = await startRawReceiver((response) => response.writeHead(500).end())
  await using app = await startRawReceiver((response) => response.writeHead(201).end())
  const listen = (name: string, forwardTo: string) =>
    listenAt(sandbox.url, { tunnel: 'flower-shop', forwardTo, name, since: 'all' })
  await payAtTunnel(sandbox)

  await using _first = await listen('first', broken.origin)
  await waitForAnswer(sandbox, 'first')
  expect(await outcomeOf(sandbox)).toMatchObject({ state: 'failed', storedIn: undefined, taken: 'first 500' })
  await using _second = await listen('second', app.origin)
  await waitForAnswer(sandbox, 'second')
  expect(await outcomeOf(sandbox)).toMatchObject({ state: 'delivered', taken: 'second 201' })
  await using _third = await listen('third', broken.origin)
  await waitForAnswer(sandbox, 'third')

  expect(await outcomeOf(sandbox)).toMatchObject({ state: 'delivered', taken: 'second 201' })
})

test('an answer to an earlier attempt does not count for a webhook that a later attempt stored', async () => {
  await using sandbox = await openSandbox({ behaviors: { retries: '5s,20s' }, now: () => new Date(NOON) })
  await using broken = await startRawReceiver((response) => response.writeHead(500).end())
  await using app = await startRawReceiver((response) => response.writeHead(204).end())
  const listener = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: broken.origin,
    name: 'before',
  })
  await payAtTunnel(sandbox)
  expect(await outcomeOf(sandbox)).toMatchObject({ state: 'pending', status: 500 })

  await listener.close()
  await sandbox.control('POST', '/clock/advance', { seconds: 5 })
  await sandbox.control('POST', '/settle')

  expect(broken.received).toHaveLength(1)
  expect(await outcomeOf(sandbox)).toEqual({ ...STORED, status: 200 })
  expect(await countsOf(sandbox)).toEqual([1, 1])

  await using _after = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: app.origin,
    name: 'after',
    since: 'all',
  })
  await waitForAnswer(sandbox, 'after', 2)
  expect(await outcomeOf(sandbox)).toMatchObject({
    state: 'delivered',
    storedIn: undefined,
    taken: 'after 204',
  })
})

test('a listener that was away gets the webhooks that were stored in the meantime', async ({ sandbox }) => {
  await using app = await startRawReceiver()
  const listen = () => listenAt(sandbox.url, { tunnel: 'flower-shop', forwardTo: app.origin, name: 'me' })
  const listener = await listen()
  await sandbox.control('POST', '/snapshots', { name: 'known' })
  // The listener is removed when the handle is closed, but the snapshot still contains it.
  await listener.close()
  await sandbox.control('POST', '/snapshots/known/restore')
  await payAtTunnel(sandbox)
  expect(await outcomeOf(sandbox)).toEqual({ ...STORED, status: 200 })

  await using _again = await listen()
  await waitForAnswer(sandbox, 'me')

  expect(await outcomeOf(sandbox)).toMatchObject({ state: 'delivered', storedIn: undefined, taken: 'me 200' })
})

test('a listener may fetch a webhook before its attempt is recorded', async ({ sandbox }) => {
  await using app = await startRawReceiver((response) => response.writeHead(201).end())
  await sandbox.control('PUT', '/tunnels/flower-shop/answer', { status: 200, delayMs: 1_500 })
  await sandbox.createLink()
  const paid = sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/events/wait', { match: { type: 'tunnel.captured' } })

  await using _listener = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: app.origin,
    name: 'me',
    since: 'all',
  })
  await waitForAnswer(sandbox, 'me')
  await paid

  expect(await outcomeOf(sandbox)).toMatchObject({ state: 'delivered', storedIn: undefined, taken: 'me 201' })
})

test('a webhook whose tunnel was cleared is never shown as delivered', async ({ sandbox }) => {
  await using app = await startRawReceiver()
  await payAtTunnel(sandbox)
  await sandbox.control('DELETE', '/tunnels/flower-shop/requests')

  await using _late = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: app.origin,
    name: 'late',
    since: 'all',
  })
  await fetch(`${sandbox.url}/tunnel/flower-shop`, { method: 'POST', body: 'other' })

  expect(app.received.map(({ bytes }) => bytes.toString())).toEqual(['other'])
  expect(await outcomeOf(sandbox)).toEqual({ ...STORED, status: 200 })
})
