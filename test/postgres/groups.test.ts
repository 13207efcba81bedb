import { once } from 'node:events'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { failingCall, linkCount, openBehindProxy } from '../support/behind-proxy.ts'
import { newSchema, postgresUrl, query } from '../support/postgres.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox, recipients, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const server = postgresUrl ?? ''

/** Makes writes to the main tables fail while `condition` is true. */
const failWrites = (schema: string, condition: string): Promise<unknown> =>
  query(
    server,
    `set search_path to "${schema}"; drop sequence if exists writes; create sequence writes;
     create or replace function fail() returns trigger language plpgsql as $$ begin
       if ${condition} then raise exception 'a planted failure'; end if; return new; end $$;
     create or replace trigger fail before insert or update on "event" for each row execute function fail();
     create or replace trigger fail before insert or update on "link" for each row execute function fail();
     create or replace trigger fail before insert or update on "delivery" for each row execute function fail();
     create or replace trigger fail before insert or update on "refund" for each row execute function fail()`,
  )

const seqsOf = async ({ control }: OpenSandbox): Promise<number[]> =>
  (await control('GET', '/events?limit=1000')).answer.events.map(({ seq }) => seq)

test.for([2, 50, 99])(
  'if the deferred write of a unit of work fails, only this unit is rejected (%i)',
  async (badAt) => {
    await using schema = newSchema()
    await using sandbox = await openSandbox({ db: schema.url })
    await sandbox.createLink()
    await failWrites(schema.schema, `TG_TABLE_NAME = 'link' and to_jsonb(new) ->> 'note' = 'bad'`)
    // So many notes that the server gets some of them before the last ones are written.
    const notes = Array.from({ length: 100 }, (_none, index) => (index === badAt ? 'bad' : `note ${index}`))
    const statuses = await Promise.all(
      notes.map(async (note) => {
        const response = await fetch(`${sandbox.url}/api/v2/createSplitLink`, {
          method: 'POST',
          headers: { token: shop.apiKey, 'content-type': 'application/json' },
          body: JSON.stringify({ amount: 100, recipients, recipient_note: note }),
        })
        return response.status
      }),
    )
    expect(statuses).toEqual(notes.map((note) => (note === 'bad' ? 500 : 200)))
    expect(await linkCount(sandbox)).toBe(100)
    const seqs = await seqsOf(sandbox)
    expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index))
  },
)

test('if a write fails while operations run in parallel, each operation takes effect once, or fails alone and leaves nothing', async ({
  receiver,
}) => {
  await using schema = newSchema()
  await using sandbox = await openSandbox({ db: schema.url })
  const post = async (path: string, body: object): Promise<number> => {
    const headers = { token: shop.apiKey, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${sandbox.url}${path}`, init)).status
  }
  const count = async (text: string): Promise<number> => {
    const [row] = await query(server, `select count(*) as count from "${schema.schema}".${text}`)
    return Number(row!.count)
  }
  const failures: number[] = []
  let writes = 1
  for (let failing = 1; failing <= writes; failing++) {
    const paid = await sandbox.createLink({ payment_endpoint: receiver.url })
    const refunded = await sandbox.createLink({ payment_endpoint: receiver.url })
    await post(`/_sandbox/v1/links/${refunded.id}/pay`, { wait: 'settled' })
    await failWrites(schema.schema, `nextval('writes') = ${failing}`)

    const note = `round ${failing}`
    const statuses = await Promise.all([
      post('/api/v2/createSplitLink', { amount: 100, recipients, recipient_note: note }),
      post(`/_sandbox/v1/links/${paid.id}/pay`, { wait: 'settled' }),
      post('/api/v2/refundPayment', { pay_id: refunded.id, refund_amount: 1 }),
    ])
    await sandbox.settled()

    const done = [
      await count(`link where note = '${note}'`),
      await count(`delivery where "linkId" = ${paid.id} and state = 'delivered'`),
      await count(`refund where "linkId" = ${refunded.id}`),
    ]
    expect([failing, done]).toEqual([failing, statuses.map((status) => (status === 200 ? 1 : 0))])
    failures.push(statuses.filter((status) => status !== 200).length)
    const [last] = await query(server, `select last_value from "${schema.schema}".writes`)
    writes = Math.max(writes, Number(last!.last_value))
  }

  expect(failures.length).toBeGreaterThan(10)
  expect(Math.max(...failures)).toBeLessThanOrEqual(1)
  const seqs = await seqsOf(sandbox)
  expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index))
})

test('a process writes nothing once another process is the leader, even while it holds the lock', async () => {
  await using schema = newSchema()
  await using sandbox = await openSandbox({ db: schema.url })
  await sandbox.createLink()
  await query(server, `update "${schema.schema}"."leader" set "id" = 'another'`)
  expect(await failingCall(sandbox)).toContain('another sandbox has used its schema')
  expect(await query(server, `select count(*)::int as count from "${schema.schema}".link`)).toEqual([
    { count: '1' },
  ])
})

test('a process writes nothing into a schema that was dropped and created again in the meantime', async () => {
  await using schema = newSchema()
  await using sandbox = await openSandbox({ db: schema.url })
  await sandbox.createLink()
  await query(server, `drop schema "${schema.schema}" cascade`)
  await using second = await openSandbox({ db: schema.url })
  await second.createLink()
  expect(await failingCall(sandbox)).toContain('another sandbox has used its schema')
  expect(await linkCount(second)).toBe(1)
})

test('a call sends only one message to the database server', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  await sandbox.createLink()
  const before = proxy.statements()
  await sandbox.createLink()
  expect(proxy.statements() - before).toBe(1)
})

test('before the webhook of a payment is sent, one message goes to the database server, even if its target is new', async () => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  let sentBefore = 0
  const counts: number[] = []
  await using receiver = await startReceiver((_received, response) => {
    counts.push(proxy.statements() - sentBefore)
    response.end()
  })
  for (let target = 0; target < 5; target++) {
    const { id } = await sandbox.createLink({ payment_endpoint: `${receiver.url}/${target}` })
    sentBefore = proxy.statements()
    await sandbox.control('POST', `/links/${id}/pay`, { method: 'card', wait: 'accepted' })
    await sandbox.control('POST', '/settle', {})
  }
  // Of the others, the first reads all waiting webhooks, and at times a further message asks whether this process still leads.
  expect(Math.min(...counts)).toBe(1)
})

test('the connection stays open if a group cannot begin, unless there is a new leader', async () => {
  await using schema = newSchema()
  await using sandbox = await openSandbox({ db: schema.url })
  await sandbox.createLink()
  const leaderConnection = () =>
    query(
      server,
      `select pid from pg_locks join pg_namespace on objid = pg_namespace.oid
       where locktype = 'advisory' and granted and nspname = '${schema.schema}'`,
    )
  const before = await leaderConnection()
  expect(before).toHaveLength(1)
  await query(
    server,
    `set search_path to "${schema.schema}"; create function refuse() returns trigger language plpgsql as $$ begin
       raise exception 'cannot write' using errcode = '25006'; end $$;
     create trigger refuse before update on "leader" for each row execute function refuse()`,
  )
  expect(await failingCall(sandbox)).toContain('it is read-only')
  expect(await leaderConnection()).toEqual(before)
  await query(server, `drop trigger refuse on "${schema.schema}"."leader"`)
  await sandbox.createLink()
})

test('a sandbox is not ready while the disk of its server is full, and no answered call is lost', async () => {
  await using schema = newSchema()
  await using sandbox = await openSandbox({ db: schema.url })
  await sandbox.createLink()
  const ready = async () => {
    const response = await fetch(`${sandbox.url}/_sandbox/ready`)
    return { status: response.status, text: await response.text() }
  }
  expect((await ready()).status).toBe(200)
  const full = `raise exception 'could not extend file' using errcode = '53100'`
  await query(
    server,
    `set search_path to "${schema.schema}";
     create function full_disk() returns trigger language plpgsql as $$ begin ${full}; end $$;
     create trigger full_disk before insert on "event" for each row execute function full_disk();
     create function full_disk_ddl() returns event_trigger language plpgsql as $$ begin
       if current_query() like '%${schema.schema}%spaceProbe%' then ${full}; end if; end $$;
     create event trigger "${schema.schema}" on ddl_command_start execute function full_disk_ddl()`,
  )
  try {
    expect(await failingCall(sandbox)).toContain('the disk is full')
    expect(await ready()).toMatchObject({
      status: 503,
      text: expect.stringContaining('the disk is full. Make room'),
    })
  } finally {
    await query(server, `drop event trigger "${schema.schema}"`)
  }
  await query(server, `drop trigger full_disk on "${schema.schema}"."event"`)
  expect((await ready()).status).toBe(200)
  await sandbox.createLink()
  expect(await linkCount(sandbox)).toBe(2)
})

test('a listener is connected although its unit of work ran twice', async () => {
  await using schema = newSchema()
  await using sandbox = await openSandbox({ db: schema.url })
  await sandbox.createLink()
  await failWrites(schema.schema, `new.type = 'listener.connected' and nextval('writes') = 1`)
  const socket = new WebSocket(
    `${sandbox.url.replace('http', 'ws')}/_sandbox/v1/tunnels/shop/listen?listener=raw&to=http://localhost:1`,
  )
  const [message] = (await once(socket, 'message')) as [Buffer]
  expect(message.toString('latin1')).toContain('welcome')
  socket.terminate()
})
