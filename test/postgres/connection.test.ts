import { sql, type Kysely } from 'kysely'
import { describe, expect } from 'vitest'
import { connectSandbox } from '../../server/package/index.ts'
import { runSandbox } from '../../server/runtime/sandbox.ts'
import { openDatabase } from '../../server/store/open-database.ts'
import type { Database } from '../../server/store/schema.ts'
import { writerAdapterOf } from '../../server/store/writer-state.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { failingCall, linkCount, openBehindProxy } from '../support/behind-proxy.ts'
import { newSchema, postgresUrl, query } from '../support/postgres.ts'
import { spawnSandbox } from '../support/process.ts'
import { followStream } from '../support/follow-stream.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const server = postgresUrl ?? ''

test('a second sandbox cannot use the same schema, and explains why', async () => {
  await using schema = newSchema()
  await using first = await runSandbox({ db: schema.url })
  await expect(runSandbox({ db: schema.url })).rejects.toThrow(
    `Database ${schema.url} is in use by another sandbox. Stop it, or use another schema in db, like ?schema=team-b.`,
  )
  await first.close()
  await using third = await runSandbox({ db: schema.url })
  expect((await fetch(`${third.url}/_sandbox/ready`)).status).toBe(200)
})

test('a restart keeps the data', async () => {
  await using schema = newSchema()
  await using first = await openSandbox({ db: schema.url })
  const link = await first.createLink({ recipient_note: 'A\u0000B\u0001C' })
  await first.close()
  await using second = await openSandbox({ db: schema.url })
  expect(second.isNew).toBe(false)
  const { answer } = await second.control('GET', '/links')
  expect(answer.links).toMatchObject([{ id: link.id, note: 'A\u0000B\u0001C' }])
})

test('parallel calls are recorded in the sequence of their commits, without a gap', async ({ sandbox }) => {
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0
        ? sandbox.call('createSplitLink', { amount: -1 })
        : sandbox.createLink({ note: String(index) }),
    ),
  )
  const { answer } = await sandbox.control('GET', '/events?limit=1000')
  const seqs = answer.events.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index))
  expect(seqs.length).toBeGreaterThan(100)
})

test('a lost connection is opened again, and no call fails', async () => {
  await using opened = await openBehindProxy()
  const { sandbox } = opened
  await sandbox.createLink()
  await query(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paylink-sandbox'
     and pid in (select pid from pg_locks where locktype = 'advisory' and objid =
       (select oid from pg_namespace where nspname = '${opened.schema.schema}'))`,
  )
  await sandbox.createLink()
  expect(await linkCount(sandbox)).toBe(2)
})

test('a tunnel listener connects again if the requests for it cannot be read', async ({ receiver }) => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  await using client = await connectSandbox(sandbox.url)
  await using _listener = await client.tunnels.listen({ tunnel: 'shop', forwardTo: receiver.origin })
  proxy.cutAt('from "pendingRequest"', 'cut-before')
  await fetch(`${sandbox.url}/tunnel/shop/paid`, { method: 'POST' })
  await receiver.count(1)
})

test('a sandbox that has lost its connection gives up if another sandbox has used the schema', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy, schema } = opened
  // While the connection is interrupted, another sandbox starts and ends.
  proxy.cutAt('begin', 'close-before')
  const cut = failingCall(sandbox)
  await using other = await openSandbox({ db: schema.url })
  await other.createLink()
  await other.close()
  proxy.open()
  await cut
  await expect.poll(() => failingCall(sandbox)).toContain('another sandbox has used its schema')
})

test('a call is answered once even if the connection is lost after its commit', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  proxy.cutAt('commit', 'cut-after', 'insert into "link"')
  const link = await sandbox.createLink()
  expect(await linkCount(sandbox)).toBe(1)
  expect((await sandbox.createLink()).id).toBe(link.id + 1)
})

test('a call takes effect once even if its commit never reaches the server', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  proxy.cutAt('commit', 'cut-before', 'insert into "link"')
  const link = await sandbox.createLink()
  expect(await linkCount(sandbox)).toBe(1)
  expect((await sandbox.createLink()).id).toBe(link.id + 1)
})

test('the outcome of a call is unknown if two other sandboxes used the schema before the connection was back', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy, schema } = opened
  proxy.cutAt('commit', 'close-after', 'insert into "link"')
  const cut = failingCall(sandbox)
  for (let count = 0; count < 2; count++) await (await openSandbox({ db: schema.url })).close()
  proxy.open()
  expect(await cut).toContain('It is not known whether this was done')
  await expect.poll(() => failingCall(sandbox)).toContain('another sandbox has used its schema')
})

// These tests wait until the sandbox gives up.
describe.concurrent('a database server that cannot be reached for long', () => {
  test('if the outcome of a commit is unknown, the error of the payment says this, and its webhook is sent once the database answers', async ({
    receiver,
  }) => {
    await using opened = await openBehindProxy()
    const { sandbox, proxy } = opened
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
    await using stream = await followStream(sandbox.url)
    await stream.until(() => stream.seqs().length > 0)
    proxy.cutAt('commit', 'close-after', 'update "link"')
    const { status, answer } = await sandbox.rawControl('POST', `/links/${id}/pay`, { wait: 'accepted' })
    expect([status, answer.detail]).toEqual([
      500,
      expect.stringMatching(
        /^Your request may or may not have been carried out\. The sandbox cannot use its database: the connection /,
      ),
    ])

    proxy.open()
    await receiver.count(1)
    await sandbox.settled()
    const journal = await sandbox.control('GET', '/events')
    const { events } = journal.answer
    expect(events.map(({ type }) => type)).toContain('link.paid')
    await stream.until(() => stream.seqs().length >= events.length)
    expect(stream.seqs()).toEqual(events.map(({ seq }) => seq))
  })

  test('a call whose commit never reached the server says that the outcome is unknown, and leaves nothing', async () => {
    await using opened = await openBehindProxy()
    const { sandbox, proxy } = opened
    proxy.cutAt('commit', 'close-before', 'insert into "link"')
    const text = await failingCall(sandbox)
    expect(text).toContain(
      'It is not known whether this was done: the sandbox cannot use its database, the connection',
    )
    expect(text).not.toContain('Nothing was done')
    expect(await failingCall(sandbox)).toContain('Nothing was done')

    proxy.open()
    await expect.poll(async () => (await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
    expect(await linkCount(sandbox)).toBe(0)
    await sandbox.createLink()
    expect(await linkCount(sandbox)).toBe(1)
  })

  test('the clock moves even if the outcome of its commit was unknown', async () => {
    await using opened = await openBehindProxy()
    const { sandbox, proxy } = opened
    proxy.cutAt('commit', 'close-after', 'frozen')
    const now = '2030-01-01T00:00:00.000Z'
    expect((await sandbox.control('PUT', '/clock', { now, mode: 'frozen' })).status).toBe(500)
    proxy.open()
    await expect.poll(async () => (await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
    await sandbox.createLink()
    expect((await sandbox.control('GET', '/clock')).answer).toMatchObject({ now, mode: 'frozen' })
  })

  test('all calls that wait for the server fail together', async () => {
    await using opened = await openBehindProxy()
    const { sandbox, proxy } = opened
    await using later = await openBehindProxy()
    proxy.cutAt('commit', 'close-after', 'insert into "link"')
    const first = failingCall(sandbox)
    await expect.poll(() => proxy.isInUse()).toBe(false)
    const reads = () => sandbox.control('GET', '/links')
    const waiting = [first, reads(), failingCall(sandbox), reads(), failingCall(sandbox), reads()]
    await Promise.race(waiting)

    // A second sandbox loses its connection now, and waits for the same time.
    const laterCut = later.proxy.cutAt('commit', 'close-before', 'insert into "link"')
    let isLaterOver = false
    const cut = later.sandbox.createLink().finally(() => (isLaterOver = true))
    await laterCut
    await Promise.all(waiting)
    expect(isLaterOver).toBe(false)
    later.proxy.open()
    await cut
    expect(await linkCount(later.sandbox)).toBe(1)
  })
})

const openAsReplica = (url: string) =>
  openDatabase(url, {
    url: 'http://127.0.0.1:1',
    options: '',
    version: '1',
    isTakeover: false,
    objectionTo: () => undefined,
    onWait: () => undefined,
    onLost: () => undefined,
    signal: new AbortController().signal,
  })

test('the server can end a replica that freezes in the middle of a group', async () => {
  await using schema = newSchema()
  const engine = await openAsReplica(schema.url)
  try {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(engine.db)
    await engine.group(async ({ db, begin, end }) => {
      await begin()
      writerAdapterOf(db).defer!(db, `delete from "fault" where "id" = $1`, [0])
      // The server ends idle connections. It has no time limit within a message.
      const states = new Set<unknown>()
      for (let look = 0; look < 20; look++) {
        const [row] = await query(server, `select state from pg_stat_activity where pid = ${rows[0]!.pid}`)
        states.add(row!.state)
      }
      expect([...states]).toEqual(['idle'])
      await end()
    })
  } finally {
    await engine.close()
  }
})

test.for([
  [[], 30],
  [['--replicas'], 2],
] as const)(
  'with the flags %j, the server probes a connection after %i silent seconds',
  async ([flags, seconds], { folder }) => {
    await using schema = newSchema()
    await using proxy = await startCuttingProxy(server)
    const probes = proxy.cutAt(`tcp_keepalives_idle = ${seconds};`, 'pass')
    const args = ['--port', '0', '--db', schema.url.replace(server, proxy.url), ...flags]
    await using _sandbox = await spawnSandbox(args, { cwd: folder.path })
    await probes
  },
)

test('calls that wait for a connection are served first come, first served, once it is back', async () => {
  await using proxy = await startCuttingProxy(server)
  await using schema = newSchema()
  const engine = await openDatabase(schema.url.replace(server, proxy.url))
  try {
    const cut = proxy.cutAt('select 1', 'close-before')
    const served: number[] = []
    const read = (number: number) =>
      sql`select ${number}::int`.execute(engine.db).then(() => served.push(number))
    await expect(sql`select 1`.execute(engine.db)).rejects.toThrow(
      /connection to the database server was lost/,
    )
    await cut
    const waiting = [1, 2, 3].map(read)
    const group = engine.group(async ({ begin }) => {
      await begin()
      served.push(4)
    })
    waiting.push(read(5))
    proxy.open()
    await Promise.all([...waiting, group])
    expect(served).toEqual([1, 2, 3, 4, 5])
  } finally {
    await engine.close()
  }
})

test('a unit of work that loses its connection before the commit is repeated, and takes effect once', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  proxy.cutAt('insert into "behavior"', 'cut-after')
  const behaviors = { payId: 'distinct' }
  expect((await sandbox.control('PATCH', '/behaviors', behaviors)).status).toBe(200)
  const { answer } = await sandbox.control('GET', '/events')
  expect(answer.events.filter(({ type }) => type === 'behaviors.changed')).toHaveLength(1)
})

/** The server processes that hold the lock of a schema. */
const lockHolders = async (schema: string): Promise<string[]> =>
  (
    await query(
      server,
      `select pid from pg_locks join pg_namespace n on objid = n.oid
       where locktype = 'advisory' and granted and nspname = '${schema}'`,
    )
  ).map(({ pid }) => String(pid))

test('a transaction does not continue on another connection', async () => {
  await using schema = newSchema()
  const engine = await openDatabase(schema.url)
  try {
    const insert = (db: Kysely<Database>, key: 'undo' | 'unbilled') =>
      db.insertInto('meta').values({ key, value: 'x' }).execute()
    const group = engine.group(async ({ db, begin }) => {
      await begin()
      await insert(db, 'undo')
      const before = await lockHolders(schema.schema)
      await query(server, `select pg_terminate_backend(${before[0]!})`)
      // Waits until the sandbox has connected again.
      await expect
        .poll(() => lockHolders(schema.schema))
        .toEqual([expect.not.stringMatching(`^${before[0]!}$`)])
      await expect.poll(() => engine.trouble()).toBeUndefined()
      await insert(db, 'unbilled')
    })
    await expect(group).rejects.toThrow(/connection to the database server was lost/i)
    expect(await query(server, `select key from "${schema.schema}".meta where value = 'x'`)).toEqual([])
  } finally {
    await engine.close()
  }
})

test('a call needs few statements, because accounts, behaviors and faults are read once', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  const count = async (act: () => Promise<unknown>): Promise<number> => {
    const before = proxy.statements()
    await act()
    return proxy.statements() - before
  }
  await sandbox.createLink()
  const warm = await count(() => sandbox.createLink())
  await sandbox.control('PATCH', '/behaviors', { payId: 'same' })
  await sandbox.control('POST', '/accounts', { name: 'Clears the cache' })
  const cold = await count(() => sandbox.createLink())
  expect({ warm, isLess: warm < cold }).toEqual({ warm: expect.any(Number), isLess: true })
  expect(warm).toBeLessThan(14)
})

test('a process whose machine was suspended asks the database before it answers as the leader', async () => {
  await using schema = newSchema()
  const engine = await openAsReplica(schema.url)
  const { isCertain, confirm } = engine.leadership!
  await confirm()
  expect(isCertain()).toBe(true)
  // On Linux, the monotonic clock stops while the machine is suspended, and the system clock jumps.
  const { now } = Date
  Date.now = () => now() + 60_000
  try {
    expect(isCertain()).toBe(false)
    await confirm()
    expect(isCertain()).toBe(true)
  } finally {
    Date.now = now
    await engine.close()
  }
})
