import { expect } from 'vitest'
import { linkCount, openBehindProxy } from '../support/behind-proxy.ts'
import { query } from '../support/postgres.ts'
import { startServer } from '../support/start-postgres.ts'
import { test } from '../support/test.ts'

/** A server that keeps every commit if it crashes. */
async function startDurableServer() {
  const server = await startServer({ isDurable: true })
  return { ...server, [Symbol.dispose]: server.stop }
}

test('a call is repeated, and takes effect once, if the server crashed before its commit', async () => {
  using server = await startDurableServer()
  await using opened = await openBehindProxy(server.url)
  const { sandbox, proxy } = opened
  const held = proxy.cutAt('commit', 'hold', 'insert into "link"')
  const call = sandbox.createLink()
  await held
  server.restart()
  proxy.open()
  await call
  expect(await linkCount(sandbox)).toBe(1)
})

test('a call is answered if the server crashed after its commit', async () => {
  using server = await startDurableServer()
  await using opened = await openBehindProxy(server.url)
  const { sandbox, proxy, schema } = opened
  const sent = proxy.cutAt('commit', 'mute', 'insert into "link"')
  const call = sandbox.createLink()
  await sent
  await expect
    .poll(() => query(server.url, `select count(*) as count from "${schema.schema}".link`))
    .toEqual([{ count: '1' }])
  // The crash ends the connection. A sandbox that had already lost it could give up during a slow restart.
  server.restart()
  proxy.open()

  const { id } = await call
  expect(await linkCount(sandbox)).toBe(1)
  expect((await sandbox.createLink()).id).toBe(id + 1)
})
