import { expect } from 'vitest'
import { listen } from '../../../server/client/listener/listen.ts'
import { listenAt } from '../../support/listen-at.ts'
import { openSandbox } from '../../support/sandbox.ts'
import { startRawListener } from '../../support/raw-listener.ts'
import { startRawReceiver } from '../../support/raw-receiver.ts'
import { test } from '../../support/test.ts'

test('a listener can answer only requests that it was sent', async () => {
  await using sandbox = await openSandbox({
    adminToken: 'admin-secret',
    tunnelTokens: { ada: 'ada-secret', grace: 'grace-secret' },
  })
  await using ada = await startRawListener(sandbox.url, 'ada', { token: 'ada-secret' })
  await using grace = await startRawListener(sandbox.url, 'grace', { token: 'grace-secret' })
  const asked = fetch(`${sandbox.url}/tunnel/grace`, { method: 'POST', body: 'order' })
  await expect.poll(() => grace.requests().length).toBe(1)
  const { id } = grace.requests()[0]!

  ada.say({ type: 'answer', id, status: 418, headers: [] }, 'forged')
  ada.say({ type: 'failed', id, error: 'forged' })
  // When this request is answered, the sandbox has received the messages above.
  const own = fetch(`${sandbox.url}/tunnel/ada`, { method: 'POST' })
  await expect.poll(() => ada.requests().length).toBe(1)
  ada.say({ type: 'answer', id: ada.requests()[0]!.id, status: 201, headers: [] })
  expect((await own).status).toBe(201)
  grace.say({ type: 'answer', id, status: 202, headers: [] }, 'true')

  const answer = await asked
  expect([answer.status, await answer.text()]).toEqual([202, 'true'])
})

test.for([
  [{ status: 200, headers: [['connection', 5]] }],
  [{ status: 200, headers: [[5, 'x']] }],
  [{ status: 200, headers: ['xy'] }],
  [{ status: 200, headers: [null] }],
  [{ status: 200, headers: [['x', 'a\r\nb: c']] }],
  [{ status: '200', headers: [] }],
  [{ status: 999, headers: [] }],
])('an answer of %j is reported as a failure', async ([answer], { sandbox }) => {
  await using listener = await startRawListener(sandbox.url, 'shop', {
    onRequest: ({ id }) => listener.say({ type: 'answer', id, ...answer }),
  })

  const got = await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST' })

  expect([got.status, await got.text()]).toEqual([502, expect.stringContaining('not valid HTTP')])
  expect(sandbox.problems).toEqual([])
})

test.for([
  ['x'.repeat(1_000_000), 500],
  [{ toString: 1 }, 19],
  [undefined, 19],
] as const)("a listener's error message is shortened", async ([error, length], { sandbox }) => {
  await using listener = await startRawListener(sandbox.url, 'shop', {
    onRequest: ({ id }) => listener.say({ type: 'failed', id, error }),
  })

  const got = await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST' })
  const said = async () =>
    (await sandbox.control('GET', '/events?type=tunnel.answered')).answer.events[0]?.error

  expect(got.status).toBe(502)
  await expect.poll(said).toHaveLength(length)
  expect(sandbox.problems).toEqual([])
})

test('an exception in a callback of a listener closes the listener after the answer was sent', async ({
  sandbox,
}) => {
  await using app = await startRawReceiver((response) => response.writeHead(201).end('taken'))
  const broken = new Error('the terminal is gone')
  let isConnected = (): void => {}
  const connected = new Promise<void>((resolve) => (isConnected = resolve))
  const nothing = () => {}
  const listening = listen(
    { url: sandbox.url, token: undefined, tunnel: 'shop', to: app.origin, listener: 'me', since: undefined },
    {
      onConnected: isConnected,
      onDisconnected: nothing,
      onUnreachable: nothing,
      onTargetChange: nothing,
      onDropped: nothing,
      onForwarded() {
        throw broken
      },
    },
    new AbortController().signal,
  )
  await connected

  const answer = fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST' })

  await expect(listening).rejects.toBe(broken)
  expect((await answer).status).toBe(201)
})

test('a listener learns which webhooks it lost to the reset of an account', async () => {
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 400 })
  await using listener = await startRawListener(sandbox.url, 'flower-shop')
  const { id } = await sandbox.createLink()
  await sandbox.control('POST', `/links/${id}/pay`)
  await expect.poll(() => listener.requests().length).toBe(1)
  const { accountId } = (await sandbox.control('GET', `/links/${id}`)).answer

  await sandbox.control('POST', `/accounts/${accountId}/reset`, {})

  const { answer } = await sandbox.control('GET', '/events?type=listener.overflowed')
  expect(answer.events).toMatchObject([{ tunnel: 'flower-shop', listener: 'raw', count: 1 }])
})

test('tunnels that lead to each other stop with an explanation', async ({ sandbox }) => {
  await using _there = await listenAt(sandbox.url, {
    tunnel: 'there',
    forwardTo: `${sandbox.url}/tunnel/back`,
  })
  await using _back = await listenAt(sandbox.url, {
    tunnel: 'back',
    forwardTo: `${sandbox.url.replace('127.0.0.1', 'localhost')}/tunnel/there/x`,
  })

  const answer = await fetch(`${sandbox.url}/tunnel/there`, { method: 'POST', body: 'x' })

  expect([answer.status, await answer.text()]).toEqual([
    508,
    expect.stringContaining('They forward to each other'),
  ])
  const { answer: told } = await sandbox.control('GET', '/events?type=tunnel.captured')
  expect(told.events).toMatchObject([
    { tunnel: 'there' },
    { tunnel: 'back' },
    { tunnel: 'there', status: 508 },
  ])
})

test('a page of large requests is limited, and says that there are more', async ({ sandbox }) => {
  const body = Buffer.alloc(1024 * 1024, 'x')
  for (let n = 0; n < 9; n++) await fetch(`${sandbox.url}/tunnel/large`, { method: 'POST', body })
  type Page = { requests: { seq: number }[]; more: boolean }
  const page = async (query: string): Promise<Page> =>
    (await sandbox.control('GET', `/tunnels/large/requests?limit=100${query}`)).answer

  const newest = await page('')
  const older = await page(`&before=${newest.requests[0]!.seq}`)

  expect([newest.requests.length, newest.more]).toEqual([8, true])
  expect([older.requests.length, older.more]).toEqual([1, false])
})
