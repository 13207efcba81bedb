import { expect } from 'vitest'
import { connectSandbox, type Sandbox } from '../../../server/package/index.ts'
import { listenAt } from '../../support/listen-at.ts'
import { startRawReceiver, type RawReceived } from '../../support/raw-receiver.ts'
import { openSandbox, type OpenSandbox } from '../../support/sandbox.ts'
import { freePort } from '../../support/free-port.ts'
import { sized } from '../../support/size.ts'
import { test } from '../../support/test.ts'

const post = (sandbox: Pick<OpenSandbox, 'url'>, path: string, body = '') =>
  fetch(`${sandbox.url}/tunnel/${path}`, { method: 'POST', body })

const textsOf = (received: readonly RawReceived[]): string[] => received.map(({ bytes }) => bytes.toString())

/** The events of some types, with the fields that the tests compare. */
async function eventsOf(sandbox: OpenSandbox, types: string): Promise<Record<string, unknown>[]> {
  const { answer } = await sandbox.control('GET', `/events?type=${types}&limit=1000`)
  return answer.events
}

const tunnelOf = async (tunnels: Sandbox['tunnels'], name: string) =>
  (await tunnels.list()).find((one) => one.name === name)

test('every listener gets every request, and the first answer counts', async ({ sandbox }) => {
  let letGo = (): void => {}
  await using slow = await startRawReceiver((response) => {
    letGo = () => response.writeHead(202).end('slow')
  })
  await using quick = await startRawReceiver((response) => response.writeHead(201).end('quick'))
  await using _slow = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: slow.origin, name: 'slow' })
  await using _quick = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: quick.origin, name: 'quick' })

  const answer = await post(sandbox, 'shop', 'x')
  await expect.poll(() => slow.received.length).toBe(1)
  letGo()
  await expect.poll(async () => (await eventsOf(sandbox, 'tunnel.answered')).length).toBe(2)

  expect([answer.status, await answer.text()]).toEqual([201, 'quick'])
  expect(textsOf(slow.received)).toEqual(['x'])
  expect(await eventsOf(sandbox, 'tunnel.answered')).toMatchObject([
    { listener: 'quick', first: true, status: 201 },
    { listener: 'slow', first: false, status: 202 },
  ])
})

test('the caller gets a failure only if no listener has a better answer', async ({ sandbox }) => {
  await using app = await startRawReceiver((response) => response.writeHead(203).end())
  const nobody = `http://127.0.0.1:${await freePort()}`
  await using _down = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: nobody, name: 'down' })
  const alone = await post(sandbox, 'shop')
  await using _up = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'up' })
  const together = await post(sandbox, 'shop')

  expect(alone.status).toBe(502)
  expect(await alone.text()).toMatch(/nothing listens on 127\.0\.0\.1:\d+.*\nStart your app/)
  expect(together.status).toBe(203)
})

test('a caller that waits too long learns who has the request, and the listener still forwards it', async () => {
  let letGo = (): void => {}
  await using app = await startRawReceiver((response) => {
    letGo = () => response.end('late')
  })
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 1_000 })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'me' })

  const answer = await post(sandbox, 'shop')
  const text = await answer.text()
  letGo()
  await expect.poll(async () => (await eventsOf(sandbox, 'tunnel.answered')).length).toBe(2)

  expect(answer.status).toBe(504)
  expect(text).toContain(`Listener me has this request, and ${app.origin}/ did not answer in time.`)
  expect(text).toContain('The listener keeps the request until it is forwarded')
  expect(await eventsOf(sandbox, 'tunnel.answered')).toMatchObject([
    { listener: null, first: true, status: 504 },
    { listener: 'me', first: false, status: 200 },
  ])
})

test('a request whose only listener disconnects gets the answer of the tunnel, and stays pending', async ({
  sandbox,
}) => {
  await using app = await startRawReceiver(() => {})
  const { tunnels } = await connectSandbox(sandbox.url)
  await tunnels.setAnswer('shop', { status: 202, body: 'kept' })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'me' })

  const answering = post(sandbox, 'shop')
  await expect.poll(() => app.received.length).toBe(1)
  await tunnels.forget('shop', 'me')
  const answer = await answering

  expect([answer.status, await answer.text()]).toEqual([202, 'kept'])
})

test('requests that arrive while an app is down are forwarded once it is up', async ({ sandbox }) => {
  const port = await freePort()
  await post(sandbox, 'shop', 'first')
  await post(sandbox, 'shop', 'second')
  const to = `http://127.0.0.1:${port}`
  await using _listener = await listenAt(sandbox.url, {
    tunnel: 'shop',
    forwardTo: to,
    name: 'me',
    since: 'all',
  })
  const { tunnels } = await connectSandbox(sandbox.url)

  await expect
    .poll(async () => (await tunnelOf(tunnels, 'shop'))?.listeners[0])
    .toMatchObject({
      state: 'connected',
      target: 'down',
      waiting: 2,
    })
  await using app = await startRawReceiver(undefined, port)
  await expect.poll(async () => (await tunnelOf(tunnels, 'shop'))?.listeners[0]?.waiting).toBe(0)

  expect(textsOf(app.received)).toEqual(['first', 'second'])
  expect((await tunnelOf(tunnels, 'shop'))?.listeners[0]?.target).toBe('up')
})

test('a new listener gets later requests, or those after the given seq', async ({ sandbox }) => {
  await using app = await startRawReceiver()
  await using other = await startRawReceiver()
  for (const body of ['1', '2', '3']) await post(sandbox, 'shop', body)
  const [, second] = await eventsOf(sandbox, 'tunnel.captured')
  const since = Number(second!.seq)
  await using _new = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'new' })
  await using _since = await listenAt(sandbox.url, {
    tunnel: 'shop',
    forwardTo: other.origin,
    name: 'since',
    since,
  })
  await post(sandbox, 'shop', '4')
  await expect.poll(() => other.received.length).toBe(3)

  expect(textsOf(app.received)).toEqual(['4'])
  expect(textsOf(other.received)).toEqual(['2', '3', '4'])
})

test('requests of one path are forwarded one after another, and a slow path delays no other', async ({
  sandbox,
}) => {
  const held: (() => void)[] = []
  await using app = await startRawReceiver((response, { url }) => {
    if (url.startsWith('/slow')) held.push(() => response.end())
    else response.end()
  })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })

  const slow = Array.from({ length: 20 }, (_, number) =>
    post(sandbox, `shop/slow?n=${number}`, String(number)),
  )
  await expect.poll(() => held.length).toBe(1)
  const quick = await Promise.all(Array.from({ length: 30 }, () => post(sandbox, 'shop/quick')))
  expect(new Set(quick.map(({ status }) => status))).toEqual(new Set([200]))
  for (let done = 0; done < slow.length; done++) {
    await expect.poll(() => held.length).toBe(done + 1)
    held[done]!()
  }
  await Promise.all(slow)

  const captured = (await eventsOf(sandbox, 'tunnel.captured')).map(({ path }) => String(path))
  const order = captured
    .filter((path) => path.includes('slow'))
    .map((path) => path.slice('/tunnel/shop'.length))
  expect(app.received.map(({ url }) => url).filter((url) => url.startsWith('/slow'))).toEqual(order)
})

test('a slow listener does not delay others', async ({ sandbox }) => {
  await using slow = await startRawReceiver(() => {})
  await using quick = await startRawReceiver()
  await using _slow = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: slow.origin, name: 'slow' })
  await using _quick = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: quick.origin, name: 'quick' })
  const { tunnels } = await connectSandbox(sandbox.url)

  for (let number = 0; number < 100; number++) await post(sandbox, 'shop', String(number))

  expect(quick.received.length).toBe(100)
  expect(slow.received.length).toBe(1)
  const listeners = (await tunnelOf(tunnels, 'shop'))?.listeners
  expect(listeners?.map(({ id, waiting }) => [id, waiting])).toEqual([
    ['quick', 0],
    ['slow', 100],
  ])
})

test('above the limit the oldest pending requests are deleted, and the journal names their listeners', async ({
  sandbox,
}) => {
  await using app = await startRawReceiver()
  const { tunnels } = await connectSandbox(sandbox.url)
  const first = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'me' })
  // The restored snapshot still contains the listener, which has disconnected in the meantime.
  await sandbox.control('POST', '/snapshots', { name: 'known' })
  await first.close()
  await sandbox.control('POST', '/snapshots/known/restore')

  for (let round = 0; round < 12; round++) {
    await Promise.all(Array.from({ length: 100 }, (_, number) => post(sandbox, 'shop', String(number))))
  }
  const [missed] = await eventsOf(sandbox, 'listener.overflowed')
  const shown = await tunnelOf(tunnels, 'shop')

  expect(missed).toMatchObject({ tunnel: 'shop', listener: 'me', count: 101 })
  expect(shown?.requests).toBe(1_099)
  expect(shown?.listeners).toMatchObject([{ id: 'me', state: 'away', waiting: 1_099 }])
})

test('a listener that is away for more than a day is forgotten', async () => {
  let now = new Date('2026-07-01T10:00:00Z')
  await using app = await startRawReceiver()
  await using sandbox = await openSandbox({ now: () => now })
  const { tunnels } = await connectSandbox(sandbox.url)
  await sandbox.control('POST', '/snapshots', { name: 'before' })
  const listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'me' })
  await sandbox.control('POST', '/snapshots', { name: 'known' })
  await listener.close()
  await sandbox.control('POST', '/snapshots/known/restore')
  await expect.poll(async () => (await tunnelOf(tunnels, 'shop'))?.listeners[0]?.state).toBe('away')

  now = new Date(now.getTime() + 24 * 60 * 60 * 1000)
  expect((await tunnelOf(tunnels, 'shop'))?.listeners.length).toBe(1)
  now = new Date(now.getTime() + 1_000)
  expect((await tunnelOf(tunnels, 'shop'))?.listeners ?? []).toEqual([])
  expect(await eventsOf(sandbox, 'listener.forgotten')).toMatchObject([
    { reason: 'disconnected for more than a day' },
  ])
})

test('a reset keeps connected listeners, and deletes pending requests', async ({ sandbox }) => {
  await using app = await startRawReceiver((response) => response.writeHead(201).end())
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'me' })
  const { tunnels } = await connectSandbox(sandbox.url)
  await tunnels.setAnswer('other', { status: 500 })
  await post(sandbox, 'shop', 'before')

  await sandbox.control('POST', '/reset')
  const statuses = await Promise.all(
    ['a', 'b', 'c'].map(async (body) => (await post(sandbox, 'shop', body)).status),
  )
  await sandbox.control('POST', '/reset/undo')
  const again = await post(sandbox, 'shop', 'after')

  expect(statuses).toEqual([201, 201, 201])
  expect(again.status).toBe(201)
  expect(textsOf(app.received).toSorted()).toEqual(['a', 'after', 'b', 'before', 'c'])
  expect((await tunnelOf(tunnels, 'shop'))?.listeners).toMatchObject([{ state: 'connected', waiting: 0 }])
  expect(sandbox.problems).toEqual([])
})

test('a listener that takes the name of another disconnects the older one, which does not reconnect', async ({
  sandbox,
}) => {
  await using app = await startRawReceiver()
  await using _older = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'me' })
  await using _newer = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'me' })
  await post(sandbox, 'shop')

  expect(app.received.length).toBe(1)
  expect((await eventsOf(sandbox, 'listener.connected')).length).toBe(2)
  expect(await eventsOf(sandbox, 'listener.lost')).toEqual([])
})

test('a tunnel without listeners answers as configured, and stores the requests', async ({ sandbox }) => {
  const { tunnels } = await connectSandbox(sandbox.url)
  await tunnels.setAnswer('shop', {
    status: 503,
    headers: [['Retry-After', '7']],
    body: '{"no":1}',
    delayMs: 5,
  })

  const answer = await post(sandbox, 'shop/x', 'one')
  await post(sandbox, 'shop', 'two')
  const all = await tunnels.requests('shop')
  const newest = await tunnels.requests('shop', { limit: 1 })
  const before = await tunnels.requests('shop', { before: newest.requests[0]!.seq })

  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
    503,
    '7',
    '{"no":1}',
  ])
  expect([all.more, newest.more, before.more]).toEqual([false, true, false])
  expect(all.requests).toMatchObject([
    { method: 'POST', path: '/tunnel/shop/x', body: { content: 'one' }, waitsFor: [] },
    { path: '/tunnel/shop', body: { content: 'two' } },
  ])
  expect([...before.requests, ...newest.requests]).toEqual(all.requests)
  await tunnels.clear('shop')
  expect(await tunnels.requests('shop')).toEqual({ requests: [], more: false })
  await tunnels.setAnswer('shop')
  expect((await post(sandbox, 'shop')).status).toBe(200)
})

test('tunnels are listed in pages of at most 8 MiB, and the client reads them all', async ({ sandbox }) => {
  const { tunnels } = await connectSandbox(sandbox.url)
  const names = Array.from({ length: 12 }, (_, number) => `large-${String(number).padStart(2, '0')}`)
  for (const name of names) await tunnels.setAnswer(name, { body: 'x'.repeat(1_000_000) })
  await post(sandbox, 'small', 'one')
  const page = async (query: string) => {
    const { answer } = await sandbox.control('GET', `/tunnels?${query}`)
    return { names: answer.tunnels.map(({ name }) => name), more: answer.more }
  }

  expect(await page('')).toEqual({ names: names.slice(0, 8), more: true })
  expect(await page('after=large-07')).toEqual({ names: [...names.slice(8), 'small'], more: false })
  expect(await page('after=large-10&limit=1')).toEqual({ names: ['large-11'], more: true })
  expect((await tunnels.list()).map(({ name }) => name)).toEqual([...names, 'small'])
})

const TUNNELS = sized({ full: 100, small: 20 })

test(`${TUNNELS} tunnels with a listener each stay separate`, async ({ sandbox }) => {
  await using app = await startRawReceiver((response, { url }) => response.end(url))
  const handle = await connectSandbox(sandbox.url)
  await using _all = handle
  const names = Array.from({ length: TUNNELS }, (_, number) => `team-${number}`)
  await Promise.all(
    names.map((name) => handle.tunnels.listen({ tunnel: name, forwardTo: `${app.origin}/${name}`, name })),
  )

  const answers = await Promise.all(
    names.flatMap((name) =>
      [1, 2, 3].map(async (number) => (await post(sandbox, `${name}/${number}`)).text()),
    ),
  )

  expect(answers).toEqual(names.flatMap((name) => [1, 2, 3].map((number) => `/${name}/${number}`)))
  expect(sandbox.problems).toEqual([])
})

test('the caller of a request that is deleted before a listener gets it learns the reason', async ({
  sandbox,
}) => {
  const letGo: (() => void)[] = []
  await using app = await startRawReceiver((response, { url }) => {
    if (url === '/other') response.end()
    else letGo.push(() => response.end('late'))
  })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'me' })
  const { tunnels } = await connectSandbox(sandbox.url)
  const waitingNow = async () => (await tunnelOf(tunnels, 'shop'))?.listeners[0]?.waiting
  // Eight requests of one path are sent to the listener, which forwards one at a time.
  const asked = Array.from({ length: 9 }, () => post(sandbox, 'shop'))
  await expect.poll(waitingNow).toBe(9)
  // A newer request of another path is sent after the eight, so its answer shows that the listener has them.
  expect((await post(sandbox, 'shop/other')).status).toBe(200)

  await sandbox.control('DELETE', '/tunnels/shop/requests')
  const first = await Promise.race(asked)
  expect([first.status, await first.text()]).toEqual([503, expect.stringContaining('Send it again.')])
  for (let n = 0; n < 8; n++) {
    await expect.poll(() => letGo.length).toBe(n + 1)
    letGo[n]!()
  }

  const all = await Promise.all(asked)
  expect(all.map(({ status }) => status).toSorted()).toEqual([...Array<number>(8).fill(200), 503])
  expect(letGo.length).toBe(8)
  expect(sandbox.problems).toEqual([])
})

test('after a reset, a listener gets new requests, and pending requests are still answered', async ({
  sandbox,
}) => {
  let letGo = (): void => {}
  await using app = await startRawReceiver((response, { url }) => {
    if (url === '/before') letGo = () => response.end('kept')
    else response.end()
  })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin, name: 'me' })
  const before = post(sandbox, 'shop/before')
  await expect.poll(() => app.received.length).toBe(1)

  await sandbox.control('POST', '/reset', {})
  await post(sandbox, 'shop/after')
  await post(sandbox, 'shop/after')
  letGo()
  await expect.poll(async () => (await eventsOf(sandbox, 'tunnel.answered')).length).toBe(2)

  expect([(await before).status, await (await before).text()]).toEqual([200, 'kept'])
  expect(await eventsOf(sandbox, 'tunnel.answered')).toMatchObject([
    { path: '/tunnel/shop/after', possibleDuplicate: false },
    { path: '/tunnel/shop/after', possibleDuplicate: false },
  ])
})
