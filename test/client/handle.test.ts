import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import {
  connectSandbox,
  SandboxError,
  startSandbox,
  type ConnectOptions,
} from '../../server/package/index.ts'
import { followStream } from '../support/follow-stream.ts'
import { startReceiver } from '../support/receiver.ts'

test('startSandbox and connectSandbox return the same handle', async () => {
  await using started = await startSandbox({ behaviors: { payId: 'distinct' } })
  const connected = await connectSandbox(`${started.url}/`)

  expect(connected.url).toBe(started.url)
  expect(connected.version).toBe(started.version)
  expect(Object.keys(connected).toSorted()).toEqual(Object.keys(started).toSorted())
  expect(await connected.behaviors.read()).toMatchObject({ payId: 'distinct', order: 'together' })
  const shop = await connected.account('Flower Shop')
  expect(await started.account(shop.id)).toMatchObject({ apiKey: shop.apiKey })
  expect(shop.env).toEqual({
    PAYLINK_URL: started.url,
    PAYLINK_API_KEY: shop.apiKey,
    PAYLINK_USER_ID: shop.id,
  })
})

test('close: does not stop a sandbox that the handle did not start', async () => {
  await using started = await startSandbox()
  const connected = await connectSandbox(started.url)
  const webhooks = await connected.receiver()

  await connected.close()

  await expect(fetch(webhooks.url)).rejects.toThrow()
  expect(await started.accounts()).not.toHaveLength(0)
})

test('close: does not wait for open sockets and long polls, and may be called twice', async () => {
  const sandbox = await startSandbox()
  await using follower = await followStream(sandbox.url)
  const gone = once(follower.socket, 'close')
  const wait = sandbox.waitForWebhook({}, { timeoutMs: 60_000 }).catch((error: unknown) => error)
  await using silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const shop = await sandbox.account('Flower Shop')
  const connected = once(silent, 'connection')
  const payment = shop
    .pay(await shop.createLink({ amount: 1, paymentEndpoint: `http://127.0.0.1:${port}/` }))
    .catch((error: unknown) => error)
  const [socket] = await connected

  await Promise.all([sandbox.close(), sandbox.close()])

  await gone
  expect(String(await wait)).toContain(`No sandbox answers at ${sandbox.url}`)
  await payment
  socket.destroy()
})

test('connectSandbox: the error for an unreachable sandbox says how to start a sandbox', async () => {
  const sandbox = await startSandbox()
  await sandbox.close()

  await expect(connectSandbox(sandbox.url)).rejects.toThrow(
    /^No sandbox answers at http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*npx paylink-sandbox/,
  )
  for (const url of ['pay.example', 'pay.example:4400', 'ftp://localhost', `${sandbox.url}/behind/a/path`]) {
    await expect(connectSandbox(url)).rejects.toThrow(`"${url}" is not the URL of a sandbox`)
  }
})

test.each<[url: unknown, options: unknown, message: string]>([
  [
    undefined,
    {},
    'connectSandbox needs the URL of a sandbox, such as http://127.0.0.1:4400, but was called with undefined.',
  ],
  [4400, {}, 'but was called with 4400.'],
  ['http://127.0.0.1:1', null, 'The options of connectSandbox are null.'],
  ['http://127.0.0.1:1', { adminToken: 5 }, 'adminToken is 5. It must be a string.'],
])('connectSandbox(%j, %j) is rejected', async (url, options, message) => {
  const connecting = connectSandbox(url as string, options as ConnectOptions)
  await expect(connecting).rejects.toThrow(message)
})

test('every call on a closed sandbox, including those of the emulated API, says that no sandbox answers there', async () => {
  const sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  await sandbox.close()

  const calls = [shop.call('createLink', { amount: 1 }), shop.createLink({ amount: 1 }), shop.links()]

  for (const call of await Promise.allSettled(calls)) {
    expect(call).toMatchObject({
      reason: { message: expect.stringContaining(`No sandbox answers at ${sandbox.url}: `), status: null },
    })
  }
})

test('connectSandbox: sends the admin token', async () => {
  await using sandbox = await startSandbox({ adminToken: 'open-sesame' })

  await expect(connectSandbox(sandbox.url)).rejects.toThrow('401')
  const connected = await connectSandbox(sandbox.url, { adminToken: 'open-sesame' })
  expect(await connected.accounts()).toHaveLength((await sandbox.accounts()).length)
})

test('snapshots: a restored snapshot brings back the data that a test prepared', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.account('Flower Shop')
  const link = await shop.createLink({ amount: 9 })
  await sandbox.snapshot('prepared')
  await shop.pay(link)

  await sandbox.restore('prepared')

  expect((await shop.link(link)).status).toBe('unused')
  expect(await sandbox.snapshots()).toMatchObject([{ name: 'prepared', problem: null }])
  await sandbox.reset()
  expect(await sandbox.links()).toEqual([])
})

test.each(['<!doctype html><title>Log in</title>', '{"hello":1}'])(
  'connectSandbox: rejects a server that is not a sandbox: %s',
  async (body) => {
    await using other = await startReceiver((_received, response) => response.end(body))

    await expect(connectSandbox(other.origin)).rejects.toThrow(SandboxError)
  },
)

test('createAccount: creates no account if a behavior is invalid', async () => {
  await using sandbox = await startSandbox()
  const before = await sandbox.accounts()

  /** A value that TypeScript rejects but JavaScript can pass. */
  const order = { name: 'Half made', behaviors: { payId: 'neither' as 'same' } }
  await expect(sandbox.createAccount(order)).rejects.toThrow('payId cannot be neither')

  expect(await sandbox.accounts()).toHaveLength(before.length)
})

test('events.wait: rejects an empty match', async () => {
  await using sandbox = await startSandbox()
  const unknown = undefined as unknown as number

  await expect(sandbox.waitForWebhook({ payId: unknown })).rejects.toThrow('payId of the match is undefined')
  await expect(sandbox.waitFor({ type: 'link.paid', linkId: unknown })).rejects.toThrow(
    'linkId of the match is undefined',
  )
})
