import { expect } from 'vitest'
import { openDatabase } from '../../server/store/open-database.ts'
import { openBehindProxy } from '../support/behind-proxy.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { followStream } from '../support/follow-stream.ts'
import { newSchema, postgresUrl, query } from '../support/postgres.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { startServer } from '../support/start-postgres.ts'
import { test } from '../support/test.ts'

const server = postgresUrl ?? ''

async function journalOf({ control }: Pick<OpenSandbox, 'control'>) {
  const { answer } = await control('GET', '/events?limit=1000')
  return answer.events
}

const notesOf = async ({ control }: Pick<OpenSandbox, 'control'>): Promise<string[]> => {
  const { answer } = await control('GET', '/links')
  return answer.links.map(({ note }) => note).toReversed()
}

const epochOf = async ({ control }: Pick<OpenSandbox, 'control'>): Promise<string> =>
  (await control('GET', '/info')).answer.epoch!

/** Two servers. The second one gets the commits of the first one until it is cut off. */
async function startPair() {
  const primary = await startServer()
  const standby = await primary.addStandby()
  const head = async (url: string, table: string): Promise<unknown> =>
    (await query(url, `select max("seq") as head from ${table}`).catch(() => [{ head: null }]))[0]!.head
  return {
    primary,
    standby,
    /** Resolves when the standby has all commits. It then gets no more. */
    async cutOff(schema: string): Promise<void> {
      const table = `"${schema}"."event"`
      const newest = await head(primary.url, table)
      await expect.poll(() => head(standby.url, table)).toBe(newest)
      await query(standby.url, `alter system set primary_conninfo = ''`)
      await query(standby.url, 'select pg_reload_conf()')
      await expect.poll(() => query(standby.url, 'select 1 from pg_stat_wal_receiver')).toEqual([])
    },
    [Symbol.dispose](): void {
      standby.stop()
      primary.stop()
    },
  }
}

test('if a standby that lacks the newest commits takes over, a new epoch begins, and everyone notices', async ({
  receiver,
}) => {
  using pair = await startPair()
  const schema = newSchema(pair.primary.url)
  await using proxy = await startCuttingProxy(pair.primary.url)
  await using sandbox = await openSandbox({ db: schema.url.replace(pair.primary.url, proxy.url) })
  const { id } = await sandbox.createLink({ recipient_note: 'kept', payment_endpoint: receiver.url })
  await pair.cutOff(schema.schema)
  const kept = (await journalOf(sandbox)).length
  await sandbox.control('POST', `/links/${id}/pay`)
  await sandbox.createLink({ recipient_note: 'lost' })
  const lost = (await journalOf(sandbox)).length - kept
  const epoch = await epochOf(sandbox)
  await using stream = await followStream(sandbox.url, `?epoch=${epoch}&after=${kept}`)
  await stream.until(() => stream.seqs().length === lost)
  const waiting = sandbox.control('POST', '/events/wait', {
    match: { type: 'sandbox.rewound' },
    timeoutMs: 60_000,
  })

  pair.standby.promote()
  proxy.moveTo(pair.standby.url)
  await sandbox.createLink({ recipient_note: 'afterwards' })

  // A read that is in progress fails when the connection breaks.
  expect(await waiting).toMatchObject({ status: expect.toBeOneOf([200, 500]) })
  expect(await notesOf(sandbox)).toEqual(['kept', 'afterwards'])
  await expect
    .poll(() => journalOf(sandbox))
    .toContainEqual(expect.objectContaining({ type: 'sandbox.rewound', lostEvents: lost }))
  const events = await journalOf(sandbox)
  await stream.until(() => stream.seqs().length === lost + events.length)
  expect(stream.messages.filter(({ type }) => type === 'hello')).toEqual([
    expect.objectContaining({ epoch }),
    expect.objectContaining({ epoch: await epochOf(sandbox) }),
  ])
  expect(await epochOf(sandbox)).not.toBe(epoch)
  expect(sandbox.problems.map(String)).toContainEqual(
    expect.stringContaining(
      `went back to an earlier state, because a standby has taken over or a backup was restored. Events of the journal that are lost: ${lost}.`,
    ),
  )
  // The payment is lost, so the link can be paid again.
  expect((await sandbox.control('POST', `/links/${id}/pay`)).status).toBe(200)
})

/** Gives the server a different history, as if it were not the server of the last commit. */
const changeHistory = (schema: string): Promise<unknown> =>
  query(server, `update "${schema}"."leader" set "history" = 'other'`)

test('a process that starts on a server with another history begins a new epoch', async () => {
  await using schema = newSchema()
  await using first = await openSandbox({ db: schema.url })
  const epoch = await epochOf(first)
  await first.close()
  await using second = await openSandbox({ db: schema.url })
  expect(await epochOf(second)).toBe(epoch)
  await second.close()

  await changeHistory(schema.schema)
  await using third = await openSandbox({ db: schema.url })
  expect(await epochOf(third)).not.toBe(epoch)
  expect(await journalOf(third)).toContainEqual(
    expect.objectContaining({ type: 'sandbox.rewound', lostEvents: null }),
  )
})

test('a process that finds all of its commits on a server with another history stays in its epoch', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy, schema } = opened
  const epoch = await epochOf(sandbox)
  await changeHistory(schema.schema)
  proxy.moveTo(server)
  await sandbox.createLink()
  await sandbox.close()
  await using next = await openSandbox({ db: schema.url })
  expect(await epochOf(next)).toBe(epoch)
})

test('an idle sandbox notices within seconds that commits were lost', async () => {
  await using schema = newSchema()
  await using sandbox = await openSandbox({ db: schema.url })
  await sandbox.createLink()
  await sandbox.settled()
  await using stream = await followStream(sandbox.url)
  await stream.until(() => stream.seqs().length > 0)
  const events = await journalOf(sandbox)
  await query(
    server,
    `set search_path to "${schema.schema}"; begin; delete from "event" where "seq" > 1; update "leader" set "lastGroup" = 1; commit`,
  )
  await stream.until(() => stream.messages.filter(({ type }) => type === 'hello').length === 2)
  await expect
    .poll(() => journalOf(sandbox))
    .toMatchObject([{ seq: 1 }, { type: 'sandbox.rewound', lostEvents: events.length - 1 }])
})

test('the first call after commits were lost notices the loss before it writes', async () => {
  await using schema = newSchema()
  await using sandbox = await openSandbox({ db: schema.url })
  await sandbox.createLink()
  await sandbox.settled()
  const events = await journalOf(sandbox)
  await query(
    server,
    `set search_path to "${schema.schema}"; begin; delete from "event" where "seq" > 1; update "leader" set "lastGroup" = 1; commit`,
  )
  await sandbox.createLink({ recipient_note: 'afterwards' })
  await expect
    .poll(() => journalOf(sandbox))
    .toContainEqual(expect.objectContaining({ type: 'sandbox.rewound', lostEvents: events.length - 1 }))
  expect(await notesOf(sandbox)).toContain('afterwards')
})

test('nothing is written into a schema that was dropped, and the sandbox continues once it is restored', async () => {
  await using schema = newSchema()
  await using sandbox = await openSandbox({ db: schema.url })
  await sandbox.createLink({ recipient_note: 'kept' })
  const name = schema.schema
  // A schema that is moved away and back has the same effect as one that was dropped and restored, and needs no `pg_dump`.
  await query(server, `alter schema "${name}" rename to "${name}-backup"`)
  await expect
    .poll(async () => {
      const ready = await fetch(`${sandbox.url}/_sandbox/ready`)
      return [ready.status, ((await ready.json()) as { reason?: string }).reason]
    })
    .toEqual([
      503,
      'The sandbox cannot use its database: its schema is missing. Restore it from a backup, or restart the sandbox to begin with an empty one.',
    ])
  await query(server, `alter schema "${name}-backup" rename to "${name}"`)
  await sandbox.createLink({ recipient_note: 'afterwards' })
  expect(await notesOf(sandbox)).toEqual(['kept', 'afterwards'])
})

test('a second leader cannot add its row', async () => {
  await using schema = newSchema()
  const engine = await openDatabase(schema.url)
  await expect(
    query(server, `insert into "${schema.schema}"."leader" ("id", "sessionKey") values ('other', 'x')`),
  ).rejects.toThrow(/oneLeader/)
  await engine.close()
})

test.for([0, 3])(
  'after a reset and %i calls, nobody knows how many events an earlier backup lacks',
  async (calls) => {
    await using schema = newSchema()
    await using sandbox = await openSandbox({ db: schema.url })
    await sandbox.createLink()
    await sandbox.settled()
    const kept = await journalOf(sandbox)
    await query(
      server,
      `set search_path to "${schema.schema}"; create table "backup" as select * from "event";
      create table "backupMeta" as select * from "meta"`,
    )
    await sandbox.control('POST', '/reset')
    for (let call = 0; call < calls; call++) await sandbox.createLink()
    await query(
      server,
      `set search_path to "${schema.schema}"; begin; delete from "event"; insert into "event" select * from "backup";
      delete from "meta"; insert into "meta" select * from "backupMeta";
      drop table "backup"; drop table "backupMeta"; update "leader" set "lastGroup" = 1; commit`,
    )
    await expect
      .poll(() => journalOf(sandbox))
      .toEqual([...kept, expect.objectContaining({ type: 'sandbox.rewound', lostEvents: null })])
  },
)

test('a new epoch begins although the connection breaks several times before', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy, schema } = opened
  await sandbox.createLink()
  await sandbox.settled()
  const events = await journalOf(sandbox)
  // A unit of work usually makes two attempts.
  const cuts = [1, 2, 3].map(() => proxy.cutAt('update "delivery" set "possibleDuplicate"', 'cut-before'))
  await query(
    server,
    `set search_path to "${schema.schema}"; begin; delete from "event" where "seq" > 1; update "leader" set "lastGroup" = 1; commit`,
  )
  await Promise.all(cuts)
  await expect
    .poll(() => journalOf(sandbox))
    .toMatchObject([{ seq: 1 }, { type: 'sandbox.rewound', lostEvents: events.length - 1 }])
})

test('a standby is recognized, and the sandbox continues once it is promoted', async () => {
  using pair = await startPair()
  const schema = newSchema(pair.primary.url)
  await using proxy = await startCuttingProxy(pair.primary.url)
  await using sandbox = await openSandbox({ db: schema.url.replace(pair.primary.url, proxy.url) })
  await sandbox.createLink({ recipient_note: 'kept' })
  await pair.cutOff(schema.schema)
  proxy.moveTo(pair.standby.url)
  const reason =
    'the database server is a standby, which accepts no changes. Promote it, or connect to the primary server (the sandbox reconnects by itself)'
  await expect
    .poll(async () => {
      const ready = await fetch(`${sandbox.url}/_sandbox/ready`)
      return [ready.status, ((await ready.json()) as { reason?: string }).reason]
    })
    .toEqual([503, `The sandbox cannot use its database: ${reason}.`])
  const refused = await fetch(`${sandbox.url}/api/v2/createSplitLink`, { method: 'POST', body: '{}' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.text()).toContain(reason)

  pair.standby.promote()
  await expect.poll(async () => (await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
  await sandbox.createLink({ recipient_note: 'afterwards' })
  expect(await notesOf(sandbox)).toEqual(['kept', 'afterwards'])
})

test.for(['0A000', '55000'])(
  'a server that answers with error %s instead of its history can be used',
  async (code) => {
    const name = `silent-${code.toLowerCase()}`
    const { pathname } = new URL(server)
    const url = server.replace(pathname, `/${name}`)
    await query(server, `create database "${name}"`)
    try {
      await query(
        url,
        `alter function pg_catalog.pg_current_wal_lsn() rename to "renamed";
        create function pg_catalog.pg_current_wal_lsn() returns pg_lsn language plpgsql
          as $$ begin raise exception 'not supported' using errcode = '${code}'; end $$`,
      )
      await using sandbox = await openSandbox({ db: url })
      await sandbox.createLink({ recipient_note: 'kept' })
      expect(await notesOf(sandbox)).toEqual(['kept'])
    } finally {
      await query(server, `drop database "${name}" with (force)`)
    }
  },
)
