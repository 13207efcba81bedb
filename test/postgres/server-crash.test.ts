import { expect } from 'vitest'
import { failingCall, linkCount, openBehindProxy } from '../support/behind-proxy.ts'
import { query } from '../support/postgres.ts'
import { startServer } from '../support/start-postgres.ts'
import { test } from '../support/test.ts'

/** A server that keeps every commit if it crashes, but nothing of a transaction that was not committed. */
async function startDurableServer() {
  const server = await startServer({ isDurable: true })
  const settings = [
    'autovacuum = off',
    'max_wal_senders = 0',
    'wal_level = minimal',
    "wal_writer_delay = '10s'",
  ]
  for (const setting of settings) await query(server.url, `alter system set ${setting}`)
  server.restart()
  return { ...server, [Symbol.dispose]: server.stop }
}

/** Commits a transaction with the next id of the server, and returns the id. */
const useNextId = async (server: string): Promise<number> =>
  Number((await query(server, `select pg_current_xact_id() as "id"`))[0]!.id)

test('a call fails if the server crashed before its commit, even if another transaction has got its id', async () => {
  using server = await startDurableServer()
  await using opened = await openBehindProxy(server.url)
  const { sandbox, proxy } = opened
  let isUsedAgain = false
  // The server does not use the id again if it has written a part of the transaction to its log.
  for (let attempt = 0; attempt < 5 && !isUsedAgain; attempt++) {
    const last = await useNextId(server.url)
    const held = proxy.cutAt('commit', 'hold', 'insert into "link"')
    const call = failingCall(sandbox)
    await held
    server.restart()
    isUsedAgain = (await useNextId(server.url)) === last + 1
    proxy.open()
    expect(await call).toContain('Nothing was done: the sandbox cannot use its database, the connection')
    await expect.poll(async () => (await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
    expect(await linkCount(sandbox)).toBe(0)
  }
})

test('a call is answered if the server crashed after its commit', async () => {
  using server = await startDurableServer()
  await using opened = await openBehindProxy(server.url)
  const { sandbox, proxy } = opened
  const held = proxy.cutAt('commit', 'close-after', 'insert into "link"')
  const call = sandbox.createLink()
  await held
  await expect.poll(() => proxy.isInUse()).toBe(false)
  server.restart()
  proxy.open()

  const { id } = await call
  expect(await linkCount(sandbox)).toBe(1)
  expect((await sandbox.createLink()).id).toBe(id + 1)
})
