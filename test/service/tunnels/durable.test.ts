import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startSandboxCli } from '../../support/cli.ts'
import { spawnSandbox, startBuiltCli } from '../../support/process.ts'
import { startRawReceiver } from '../../support/raw-receiver.ts'
import { callsOf, openSandbox, shop } from '../../support/sandbox.ts'
import { sized } from '../../support/size.ts'
import { test } from '../../support/test.ts'

const PATH_COUNT = 4
const EACH = sized({ full: 125, small: 40 })

const ALL = PATH_COUNT * EACH

/** A proxy in front of a sandbox. Its connections can be cut, or frozen so that neither end notices. */
async function startProxy(to: string) {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isFrozen = false
  const server = createServer((near) => {
    const far = connect(Number(new URL(to).port), '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [from, other] of [pair, [far, near] as const]) {
      from.on('data', (data) => isFrozen || other.write(data))
      from.on('error', () => {})
      from.on('close', () => isFrozen || other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    pairs.clear()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    freeze: (): void => void (isFrozen = true),
    thaw(): void {
      cut()
      isFrozen = false
    },
    async [Symbol.asyncDispose](): Promise<void> {
      cut()
      server.close()
    },
  }
}

const listenerOf = async (url: string) =>
  (await callsOf(url).control('GET', '/tunnels')).answer.tunnels.find(({ name }) => name === 'shop')
    ?.listeners[0]

/** Sends requests to four paths at the same time, each path in sequence, and repeats a request that got no answer. */
async function sendAll(url: () => string): Promise<void> {
  await Promise.all(
    Array.from({ length: PATH_COUNT }, async (_, lane) => {
      for (let number = 0; number < EACH;) {
        const answer = await fetch(`${url()}/tunnel/shop/${lane}`, { method: 'POST', body: String(number) })
          .then(({ status }) => status)
          .catch(() => new Promise<null>((resolve) => setImmediate(() => resolve(null))))
        if (answer !== null) number += 1
      }
    }),
  )
}

/** Checks that every number arrived, and that no number arrived for the first time before a smaller one of its path. */
function expectAllInOrder(received: readonly { url: string; bytes: Buffer }[]): void {
  for (let lane = 0; lane < PATH_COUNT; lane++) {
    const numbers = received.filter(({ url }) => url === `/hooks/${lane}`).map(({ bytes }) => Number(bytes))
    expect([...new Set(numbers)]).toEqual(Array.from({ length: EACH }, (_, number) => number))
  }
}

function startListening(url: string, to: string, cwd: string, ...more: readonly string[]) {
  return startBuiltCli(
    ['listen', 'shop', '--forward-to', to, '--sandbox', url, '--name', 'me', '--json', ...more],
    { cwd },
  )
}

const isConnected = (line: string): boolean => line.startsWith('{"type":"connected"')

test(`a listener killed during ${ALL} requests gets every request that it missed, oldest first`, async ({
  folder,
}) => {
  await using app = await startRawReceiver()
  await using sandbox = await openSandbox()
  const to = `${app.origin}/hooks`
  await using first = startListening(sandbox.url, to, folder.path)
  await first.until(() => first.lines.some(isConnected))

  const sent = sendAll(() => sandbox.url)
  await first.until(() => first.lines.length > ALL / 5)
  first.child.kill('SIGKILL')
  await expect.poll(async () => (await listenerOf(sandbox.url))?.state).toBe('away')
  await sent
  await using second = startListening(sandbox.url, to, folder.path)
  await expect
    .poll(async () => await listenerOf(sandbox.url))
    .toMatchObject({ state: 'connected', waiting: 0 })

  expectAllInOrder(app.received)
  expect(second.lines.find(isConnected)).toMatch(/"isNew":false,"waiting":[1-9]/)
})

test(`a sandbox killed during ${ALL} requests continues with the next request`, async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await using app = await startRawReceiver()
  const first = await spawnSandbox(['--port', '0', '--db', db], { cwd: folder.path })
  const { port } = new URL(first.url)
  await using listener = startListening(first.url, `${app.origin}/hooks`, folder.path)
  await listener.until(() => listener.lines.some(isConnected))

  const sent = sendAll(() => first.url)
  await listener.until(() => listener.lines.length > ALL / 5)
  await first.end('SIGKILL')
  await listener.until(() => listener.lines.some((line) => line.startsWith('{"type":"lost"')))
  await using second = await startSandboxCli(['--port', port, '--db', db], { cwd: folder.path })
  await sent
  await expect
    .poll(async () => await listenerOf(second.url))
    .toMatchObject({ state: 'connected', waiting: 0 })

  expectAllInOrder(app.received)
  expect(listener.lines.filter(isConnected).length).toBe(2)
})

test.for(['cut', 'frozen'])(
  'both ends notice a connection that is %s, and no request is lost',
  async (how, { folder }) => {
    await using app = await startRawReceiver()
    // A busy machine must not be mistaken for a frozen connection, so the time is long. Only frozen connections take this time.
    await using sandbox = await openSandbox({ listenerHeartbeatMs: how === 'cut' ? 60_000 : 4_000 })
    await using way = await startProxy(sandbox.url)
    await using listener = startListening(way.url, `${app.origin}/hooks`, folder.path)
    await listener.until(() => listener.lines.some(isConnected))

    const sent = sendAll(() => sandbox.url)
    await listener.until(() => listener.lines.length > ALL / 5)
    if (how === 'cut') way.cut()
    else {
      way.freeze()
      // Both ends report the frozen connection while no bytes get through.
      await listener.until(() => listener.errors.some((line) => line.includes('answered no ping')))
      await expect.poll(async () => (await listenerOf(sandbox.url))?.state).toBe('away')
      way.thaw()
    }
    await sent
    await expect
      .poll(async () => await listenerOf(sandbox.url))
      .toMatchObject({ state: 'connected', waiting: 0 })

    expectAllInOrder(app.received)
    const { answer } = await callsOf(sandbox.url).control('GET', '/events?type=listener.lost')
    expect(answer.events.map(({ reason }) => reason)).toEqual([
      how === 'cut' ? 'the connection was cut' : 'it answered no ping',
    ])
  },
)

test('webhooks reach a listener that is killed and restarted', async ({ folder }) => {
  await using app = await startRawReceiver()
  await using sandbox = await openSandbox()
  const { control, createLink } = callsOf(sandbox.url)
  await control('PATCH', `/accounts/${shop.id}`, { paymentEndpoint: '/tunnel/shop/0' })
  const to = `${app.origin}/hooks`
  await using first = startListening(sandbox.url, to, folder.path)
  await first.until(() => first.lines.some(isConnected))
  const ids: number[] = []
  for (let payments = 0; payments < 60; payments++) {
    const { id } = await createLink()
    ids.push(id)
    await control('POST', `/links/${id}/pay`, { wait: 'accepted' })
    if (payments === 30) first.child.kill('SIGKILL')
  }
  await using _second = startListening(sandbox.url, to, folder.path)
  await control('POST', '/settle', { timeoutMs: 60_000 })
  await expect
    .poll(async () => await listenerOf(sandbox.url))
    .toMatchObject({ state: 'connected', waiting: 0 })

  const paid = app.received.map(({ bytes }) =>
    Number(new URLSearchParams(bytes.toString()).get('data[pay_id]')),
  )
  expect([...new Set(paid)]).toEqual(ids)
})
