import type { Kysely } from 'kysely'
import { expect } from 'vitest'
import { connectSandbox } from '../../server/index.ts'
import { runSandbox } from '../../server/sandbox.ts'
import { openDatabase } from '../../server/store/open-database.ts'
import { parseAddress } from '../../server/store/postgres/address.ts'
import { loadPg } from '../../server/store/postgres/pg-module.ts'
import { Session } from '../../server/store/postgres/session.ts'
import { ReadCache } from '../../server/store/read-cache.ts'
import type { Database } from '../../server/store/schema.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { newSchema, postgresUrl, query } from '../support/postgres.ts'
import { followStream } from '../support/follow-stream.ts'
import { openSandbox, recipients, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const server = postgresUrl ?? ''

/** A sandbox in a new schema, behind a proxy that can cut its connection. */
async function openBehindProxy() {
  const schema = newSchema()
  const proxy = await startCuttingProxy(server)
  const sandbox = await openSandbox({ db: schema.url.replace(server, proxy.url) })
  return {
    proxy,
    sandbox,
    schema,
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await proxy[Symbol.asyncDispose]()
      await schema[Symbol.asyncDispose]()
    },
  }
}

test('a second sandbox cannot use the same schema, and says so', async () => {
  await using schema = newSchema()
  await using first = await runSandbox({ db: schema.url })
  await expect(runSandbox({ db: schema.url })).rejects.toThrow(
    `Database ${schema.url} is in use by another sandbox. Stop that one, or name another schema in db, like ?schema=team-b.`,
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
  const { answer } = await second.control<{ links: unknown[] }>('GET', '/links')
  expect(answer.links).toMatchObject([{ id: link.id, note: 'A\u0000B\u0001C' }])
})

test('parallel calls are recorded without a gap, in the order of their commits', async ({ sandbox }) => {
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0
        ? sandbox.call('createSplitLink', { amount: -1 })
        : sandbox.createLink({ note: String(index) }),
    ),
  )
  const { answer } = await sandbox.control<{ events: { seq: number }[] }>('GET', '/events?limit=1000')
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

test('a sandbox that has lost its connection gives up if another one has used the schema', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy, schema } = opened
  // While the connection is cut, another sandbox starts and ends.
  proxy.cutAt('begin', 'close-before')
  const cut = failingCall(sandbox)
  await using other = await openSandbox({ db: schema.url })
  await other.createLink()
  await other.close()
  proxy.open()
  await cut
  expect(await failingCall(sandbox)).toContain('another sandbox has used its schema')
})

test('a call whose commit was done when the connection was lost is answered, once', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  proxy.cutAt('commit', 'cut-after', 'insert into "link"')
  const link = await sandbox.createLink()
  expect(await linkCount(sandbox)).toBe(1)
  expect((await sandbox.createLink()).id).toBe(link.id + 1)
})

test('a call whose commit never reached the server fails, and leaves nothing', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  proxy.cutAt('commit', 'cut-before', 'insert into "link"')
  expect(await failingCall(sandbox)).toContain(
    'Nothing was done: the sandbox cannot use its database, the connection',
  )
  expect(await linkCount(sandbox)).toBe(0)
  await sandbox.createLink()
  expect(await linkCount(sandbox)).toBe(1)
})

test.for([
  ['was done', 'cut-after', 1],
  ['never reached the server', 'cut-before', 0],
] as const)(
  'a call whose commit %s says that this is not known, if the sandbox cannot ask the server',
  async ([, verdict, links]) => {
    await using opened = await openBehindProxy()
    const { sandbox, proxy } = opened
    proxy.cutAt('commit', verdict, 'insert into "link"')
    proxy.cutAt('pg_xact_status', 'cut-before')
    const text = await failingCall(sandbox)
    expect(text).toContain(
      'It is not known whether this was done: the sandbox cannot use its database, the connection',
    )
    expect(text).not.toContain('Nothing was done')
    expect(await linkCount(sandbox)).toBe(links)
    await sandbox.createLink()
    expect(await linkCount(sandbox)).toBe(links + 1)
  },
)

test('a commit with an unknown outcome that was done is published, and its webhook is sent', async ({
  receiver,
}) => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  await using stream = await followStream(sandbox.url)
  proxy.cutAt('commit', 'cut-after', `update "link"`)
  proxy.cutAt('pg_xact_status', 'cut-before')
  expect((await sandbox.control('POST', `/links/${id}/pay`, { wait: 'accepted' })).status).toBe(500)

  await receiver.count(1)
  await sandbox.settled()
  const { answer } = await sandbox.control<{ events: { seq: number; type: string }[] }>('GET', '/events')
  expect(answer.events.map(({ type }) => type)).toContain('link.paid')
  await stream.until(() => stream.seqs().length >= answer.events.length)
  expect(stream.seqs()).toEqual(answer.events.map(({ seq }) => seq))
})

test('the clock moves with a commit whose outcome was unknown', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  proxy.cutAt('commit', 'cut-after', 'frozen')
  proxy.cutAt('pg_xact_status', 'cut-before')
  const now = '2030-01-01T00:00:00.000Z'
  expect((await sandbox.control('PUT', '/clock', { now, mode: 'frozen' })).status).toBe(500)
  await sandbox.createLink()
  expect((await sandbox.control('GET', '/clock')).answer).toMatchObject({ now, mode: 'frozen' })
})

test('a call fails if the connection is lost again while the outcome of the last commit is unknown', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  proxy.cutAt('commit', 'cut-after', 'frozen')
  proxy.refuse('pg_xact_status')
  const now = '2030-01-01T00:00:00.000Z'
  expect((await sandbox.control('PUT', '/clock', { now, mode: 'frozen' })).status).toBe(500)
  proxy.cutAt('select 1', 'cut-before')
  expect(await failingCall(sandbox)).toContain('Nothing was done')
  proxy.refuse(undefined)
  await sandbox.createLink()
  expect(await linkCount(sandbox)).toBe(1)
  expect((await sandbox.control('GET', '/clock')).answer).toMatchObject({ now, mode: 'frozen' })
})

test('a transaction whose id the server has not assigned, because it crashed, was not committed', async () => {
  const address = parseAddress(server)
  const session = new Session(await loadPg(address.label), address, new ReadCache(), async () => undefined)
  try {
    await session.open()
    const { rows } = await session.query('select pg_current_xact_id()::text as "id"')
    const id = BigInt(String(rows[0]!.id))
    expect(await session.wasCommitted(String(id))).toBe(true)
    expect(await session.wasCommitted(String(id + 1_000_000n))).toBe(false)
  } finally {
    await session.end()
  }
})

test('a request to the control API says if it is not known whether it was done', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  proxy.cutAt('commit', 'cut-after', 'insert into "fault"')
  proxy.cutAt('pg_xact_status', 'cut-before')
  const { status, answer } = await sandbox.control('POST', '/faults', { on: 'webhook', script: '500' })
  expect([status, answer.detail]).toEqual([
    500,
    expect.stringMatching(/^It is not known whether this was done\. The sandbox cannot use its database: /),
  ])
})

test('a call is rolled back if the connection is lost before its commit', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  proxy.cutAt('insert into "link"', 'cut-after')
  expect(await failingCall(sandbox)).toContain(
    'Nothing was done: the sandbox cannot use its database, the connection',
  )
  await sandbox.createLink()
  expect(await linkCount(sandbox)).toBe(1)
})

/** The server processes that hold the lock of a schema. */
const lockHolders = async (schema: string): Promise<string[]> =>
  (
    await query(
      server,
      `select pid from pg_locks join pg_namespace n on objid = n.oid::bigint::int4
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
      // Until the engine has connected again.
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

test('accounts, behaviors and faults are read once, so that a call needs few statements', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  const count = async (act: () => Promise<unknown>): Promise<number> => {
    const before = proxy.statements()
    await act()
    return proxy.statements() - before
  }
  await sandbox.createLink()
  const warm = await count(() => sandbox.createLink())
  await sandbox.control('PUT', '/behaviors', { behaviors: {} })
  await sandbox.control('POST', '/accounts', { name: 'Clears the cache' })
  const cold = await count(() => sandbox.createLink())
  expect({ warm, isLess: warm < cold }).toEqual({ warm: expect.any(Number), isLess: true })
  expect(warm).toBeLessThan(14)
})

/** The text of a response with status 500. */
async function failingCall({ url }: OpenSandbox): Promise<string> {
  const response = await fetch(`${url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 100, recipients }),
  })
  const text = await response.text()
  expect({ status: response.status, text }).toMatchObject({ status: 500 })
  return text
}

async function linkCount(sandbox: OpenSandbox): Promise<number> {
  const { answer } = await sandbox.control<{ links: unknown[] }>('GET', '/links')
  return answer.links.length
}
