import { describe, expect } from 'vitest'
import { runSandbox } from '../../server/runtime/sandbox.ts'
import { openBehindProxy } from '../support/behind-proxy.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { newSchema, postgresUrl, query } from '../support/postgres.ts'
import { hasProgram } from '../support/programs.ts'
import { openSandbox } from '../support/sandbox.ts'
import { startServer } from '../support/start-postgres.ts'
import { test } from '../support/test.ts'

const server = postgresUrl ?? ''

/** Sends queries through a pooler until it is stopped, so that the pooler switches connections. */
function keepBusy(url: string) {
  let isOver = false
  const clients = Array.from({ length: 6 }, async () => {
    while (!isOver) await query(url, 'select count(*) from generate_series(1, 1000)')
  })
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      await Promise.all(clients)
    },
  }
}

describe.skipIf(!hasProgram('pgbouncer', 'pgbouncer', '--version'))('PgBouncer', () => {
  test('the sandbox works with a pooler in session mode', async ({ folder }) => {
    await using pooler = await startPgBouncer(folder.path, server, 'session')
    await using schema = newSchema()
    await using sandbox = await openSandbox({ db: schema.url.replace(server, pooler.url) })
    await sandbox.createLink()
    expect((await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
  })

  test('a standby behind a pooler is refused as a standby', async ({ folder }) => {
    const standby = await startServer({ isStandby: true })
    try {
      await using pooler = await startPgBouncer(folder.path, standby.url, 'session')
      await expect(runSandbox({ db: pooler.url })).rejects.toThrow(
        `the server at ${new URL(pooler.url).host} is a standby. Connect to the primary server, or set db to another database.`,
      )
    } finally {
      standby.stop()
    }
  })

  test.for([
    ['transaction', {}],
    ['transaction', { server_round_robin: 1 }],
    ['statement', {}],
  ] as const)(
    'a pooler in %s mode with %j is refused whenever the sandbox starts, even if it is busy',
    async ([mode, settings], { folder }) => {
      await using pooler = await startPgBouncer(folder.path, server, mode, settings)
      await using _busy = keepBusy(pooler.url)
      await using schema = newSchema()
      const db = schema.url.replace(server, pooler.url)
      const refusals = await Promise.all(
        [1, 2, 3].map(() =>
          runSandbox({ db }).then(
            () => 'started',
            (error: Error) => error.message,
          ),
        ),
      )
      const { host } = new URL(pooler.url)
      expect(refusals).toEqual(
        Array(3).fill(
          `Database ${db} cannot be opened: ${host} is a pooler in transaction or statement mode, which breaks the lock of the sandbox. Set db to the address of the server itself, or of a pooler in session mode.`,
        ),
      )
      expect(await query(server, `select 1 from pg_namespace where nspname = '${schema.schema}'`)).toEqual([])
    },
  )

  test('with a pooler that has one connection, the error says that the sandbox needs two', async ({
    folder,
  }) => {
    await using pooler = await startPgBouncer(folder.path, server, 'session', { default_pool_size: 1 })
    await expect(runSandbox({ db: `${pooler.url}?schema=t-small` })).rejects.toThrow(
      /the pooler at 127\.0\.0\.1:\d+ gives the sandbox no second connection\. Raise its pool_size/,
    )
  })

  test('a pooler in transaction mode that is put before the server later is noticed', async ({ folder }) => {
    await using pooler = await startPgBouncer(folder.path, server, 'transaction')
    await using opened = await openBehindProxy()
    const { sandbox, proxy } = opened
    await sandbox.createLink()
    proxy.moveTo(pooler.url)
    await expect
      .poll(async () => (await fetch(`${sandbox.url}/_sandbox/ready`)).json())
      .toMatchObject({
        status: 'failing',
        reason: expect.stringContaining(
          'a pooler in transaction or statement mode is before the database server',
        ),
      })
    proxy.moveTo(server)
    await expect.poll(async () => (await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
    await sandbox.createLink()
  })
})
