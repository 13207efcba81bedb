import SQLite from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { migrateAlone } from '../../server/store/migrations/migrate.ts'
import { openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const databases = [
  ['in memory', () => ':memory:'],
  ['in a file', (folder: string) => join(folder, 'sandbox.db')],
] as const

const addressOf = ({ url }: Pick<OpenSandbox, 'url'>, name: string, query = '') =>
  `${url}/_sandbox/v1/snapshots/${name}/file${query}`

const download = async (sandbox: OpenSandbox, name: string) =>
  Buffer.from(await (await fetch(addressOf(sandbox, name))).arrayBuffer())

async function upload(
  sandbox: Pick<OpenSandbox, 'url'>,
  name: string,
  bytes: Uint8Array | string,
  query = '',
) {
  const body = bytes as BodyInit
  const response = await fetch(addressOf(sandbox, name, query), { method: 'PUT', body })
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
}

/** The bytes of a snapshot, changed by SQL statements. */
function altered(folder: string, bytes: Uint8Array, statements: string): Buffer {
  const path = join(folder, 'altered.db')
  writeFileSync(path, bytes)
  const file = new SQLite(path)
  file.unsafeMode()
  file.pragma('foreign_keys = off')
  file.exec(statements)
  file.close()
  return readFileSync(path)
}

const listed = async ({ control }: OpenSandbox) =>
  (await control<{ snapshots: { name: string; problem: string | null }[] }>('GET', '/snapshots')).answer
    .snapshots

test.for(databases)(
  'a snapshot can be moved between sandboxes %s, as a file',
  async ([_where, db], { folder }) => {
    await using here = await openSandbox({ now: () => new Date('2026-07-01T10:00:00.000Z') })
    await here.createLink({ recipient_note: 'Order 7' })
    await here.control('POST', '/links/1001/pay')
    await here.control('POST', '/snapshots', { name: 'paid' })

    const response = await fetch(addressOf(here, 'paid'))
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="paid.db"',
    ])
    expect(response.headers.get('content-length')).toBe(String(bytes.length))

    await using there = await openSandbox({ db: db(folder.path) })
    expect(await upload(there, 'from-here', bytes)).toEqual({
      status: 201,
      answer: {
        name: 'from-here',
        takenAt: '2026-07-01T10:00:00.000Z',
        links: 1,
        size: bytes.length,
        problem: null,
      },
    })
    expect((await there.control('POST', '/snapshots/from-here/restore')).status).toBe(200)
    expect((await there.control('GET', '/links/1001')).answer).toMatchObject({
      note: 'Order 7',
      status: 'paid',
    })
    expect(await download(there, 'from-here')).toEqual(bytes)
    expect(there.problems).toEqual([])
  },
)

test('an uploaded snapshot is still there after a restart', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  await first.control('POST', '/snapshots', { name: 'mine' })
  await upload(first, 'again', await download(first, 'mine'))
  await first.close()
  // A process that was killed during an upload leaves this behind.
  writeFileSync(`${db}.snapshots/half.upload`, 'half of it')
  writeFileSync(`${db}.snapshots/half.db.new`, 'half of it')

  await using second = await openSandbox({ db })
  expect((await listed(second)).map(({ name }) => name)).toEqual(['again', 'mine'])
  expect(readdirSync(`${db}.snapshots`).toSorted()).toEqual(['again.db', 'mine.db'])
  expect((await second.control('POST', '/snapshots/again/restore')).status).toBe(200)
})

test('the next start deletes the unfinished uploads of a killed process', async ({ folder }) => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  // A separate folder: other sandboxes that start now delete the uploads in the shared one.
  vi.stubEnv('TMPDIR', folder.path)
  onTestFinished(() => void vi.unstubAllEnvs())
  const dead = mkdtempSync(join(tmpdir(), `paylink-upload-${pid}-`))
  const alive = mkdtempSync(join(tmpdir(), `paylink-upload-${process.pid}-`))
  writeFileSync(join(dead, 'half.upload'), 'half of it')
  await using _sandbox = await openSandbox()
  expect([existsSync(dead), existsSync(alive)]).toEqual([false, true])
})

test('an upload replaces a snapshot only if asked to', async ({ sandbox }) => {
  await sandbox.control('POST', '/snapshots', { name: 'mine' })
  const bytes = await download(sandbox, 'mine')
  expect(await upload(sandbox, 'mine', bytes)).toMatchObject({
    status: 409,
    answer: { detail: 'There is a snapshot mine already. Delete it, or upload with ?replace=true' },
  })
  expect((await upload(sandbox, 'mine', bytes, '?replace=true')).status).toBe(201)
  expect((await upload(sandbox, 'mine', bytes, '?replac=true')).answer.detail).toContain(
    'did you mean replace?',
  )
  expect((await upload(sandbox, 'before-reset', bytes)).status).toBe(422)
  expect((await upload(sandbox, 'Mine', bytes)).status).toBe(404)
})

test('an unknown snapshot cannot be downloaded, and HEAD returns the headers only', async ({ sandbox }) => {
  const missing = await sandbox.control('GET', '/snapshots/mine/file')
  expect([missing.status, missing.answer.detail]).toEqual([404, expect.stringContaining('no snapshot mine')])
  await sandbox.control('POST', '/snapshots', { name: 'mine' })
  const head = await fetch(addressOf(sandbox, 'mine'), { method: 'HEAD' })
  expect([head.status, Number(head.headers.get('content-length')) > 0, await head.text()]).toEqual([
    200,
    true,
    '',
  ])
})

test.for<[what: string, make: (sound: Buffer, folder: string) => Uint8Array | string, reason: string]>([
  ['nothing', () => '', 'it is empty'],
  ['text', () => 'These are notes, and no database.', 'it is not an SQLite file'],
  ['a truncated file', (sound) => sound.subarray(0, 20_000), 'it is corrupt: '],
  ['random bytes after the header', (sound) => sound.fill(255, 200, 8_000), 'it is corrupt: '],
  [
    'a database in use',
    (sound) => sound.fill(2, 18, 20),
    'it is a copy of a database in use and may lack recent data',
  ],
  [
    'a database of another program',
    (_sound, folder) => {
      const path = join(folder, 'other.db')
      const other = new SQLite(path)
      other.exec('create table note (text)')
      other.close()
      return readFileSync(path)
    },
    'it is not a snapshot of a sandbox: no such table: kysely_migration',
  ],
  [
    'a newer schema',
    (sound, folder) =>
      altered(folder, sound, "insert into kysely_migration values ('999-later', '2030-01-01')"),
    'it has database schema 999-later, which is newer',
  ],
  [
    'a missing migration',
    (sound, folder) => altered(folder, sound, "delete from kysely_migration where name like '002%'"),
    'it is not a snapshot of a sandbox: its schema is incomplete',
  ],
  [
    'a trigger',
    (sound, folder) =>
      altered(folder, sound, 'create trigger spy after insert on link begin delete from event; end'),
    'it has a trigger spy, which no sandbox creates',
  ],
  [
    'a view instead of a table',
    (sound, folder) =>
      altered(folder, sound, 'drop table behavior; create view behavior as select 1 as scope'),
    'it has a view behavior, which no sandbox creates',
  ],
  [
    'an additional table',
    (sound, folder) => altered(folder, sound, 'create table extra (text)'),
    'it has a table extra, which no sandbox creates',
  ],
  [
    'a virtual table',
    (sound, folder) =>
      altered(folder, sound, 'drop table behavior; create virtual table behavior using fts5(scope)'),
    'it has a virtual table behavior, which no sandbox creates',
  ],
  [
    'a view that replaces the migrations',
    (sound, folder) =>
      altered(
        folder,
        sound,
        `drop table kysely_migration; create view kysely_migration as
          with recursive endless(name) as (select '1' union all select name from endless) select name from endless`,
      ),
    'it has a view kysely_migration, which no sandbox creates',
  ],
  [
    'a generated column',
    (sound, folder) =>
      altered(folder, sound, 'alter table behavior add column more text as (hex(zeroblob(500000000)))'),
    'the columns of its table behavior differ from those of a sandbox',
  ],
  [
    'a missing table',
    (sound, folder) => altered(folder, sound, 'drop table refund'),
    'it has no table refund',
  ],
  [
    'an additional column',
    (sound, folder) => altered(folder, sound, 'alter table account add column secret text'),
    'the columns of its table account differ from those of a sandbox',
  ],
  [
    'a row with a dangling reference',
    (sound, folder) => altered(folder, sound, "update invoice set accountId = 'nobody' where sfId = '501'"),
    'a row of its table invoice refers to a missing row of account',
  ],
  [
    'a row with an invalid value',
    (sound, folder) => altered(folder, sound, "update account set serviceFee = '1e99' where rowid = 2"),
    'table account, row 2, serviceFee: should be a percentage as text, like 1.0',
  ],
])('an upload of %s is refused, and leaves nothing behind', async ([_what, make, reason], { folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  await sandbox.control('POST', '/snapshots', { name: 'sound' })
  const { status, answer } = await upload(
    sandbox,
    'mine',
    make(await download(sandbox, 'sound'), folder.path),
  )
  expect([status, answer.detail]).toEqual([
    422,
    expect.stringContaining(`The file was not saved as snapshot mine: ${reason}`),
  ])
  expect(readdirSync(`${db}.snapshots`)).toEqual(['sound.db'])
  expect((await sandbox.control('GET', '/info')).answer.counts).toMatchObject({ accounts: 4 })
  expect(sandbox.problems).toEqual([])
})

test('an upload with a Content-Length above the limit is refused before its body is read', async ({
  sandbox,
}) => {
  const { hostname, port } = new URL(sandbox.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `PUT /_sandbox/v1/snapshots/big/file HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${2 ** 40}\r\n\r\n`,
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /)
})

test.for(['..%2fsandbox', '%2e%2e%2f%2e%2e%2fsandbox', '..%5csandbox', '%2fetc%2fpasswd', 'a%00', 'Upper'])(
  'a snapshot name that leads out of the folder is refused: %s',
  async (name, { folder }) => {
    const db = join(folder.path, 'sandbox.db')
    await using sandbox = await openSandbox({ db })
    await sandbox.control('POST', '/snapshots', { name: 'sound' })
    const before = readdirSync(folder.path, { recursive: true }).toSorted()
    const file = new Uint8Array(await download(sandbox, 'sound'))
    const to = (method: string, more: string, body?: Uint8Array<ArrayBuffer>) =>
      fetch(`${sandbox.url}/_sandbox/v1/snapshots/${name}${more}`, { method, ...(body && { body }) })

    const answers = [await to('GET', '/file'), await to('PUT', '/file', file), await to('DELETE', '')]
    answers.push(await to('POST', '/restore'))

    for (const answer of answers) {
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining('no snapshot of that name'),
      ])
    }
    expect(readdirSync(folder.path, { recursive: true }).toSorted()).toEqual(before)
  },
)

test('an aborted upload leaves nothing behind', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  await sandbox.control('POST', '/snapshots', { name: 'sound' })
  const { hostname, port } = new URL(sandbox.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    'PUT /_sandbox/v1/snapshots/mine/file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nSQLite format 3',
  )
  await expect.poll(() => readdirSync(`${db}.snapshots`).length).toBe(2)
  socket.destroy()
  await expect.poll(() => readdirSync(`${db}.snapshots`)).toEqual(['sound.db'])
  expect(sandbox.problems).toEqual([])
})

/** A snapshot with one paid link, taken with an older schema. */
async function olderSnapshot(path: string, schema: string, epoch = 'of-old'): Promise<Buffer> {
  const older = new SQLite(path)
  await migrateAlone(older, schema)
  const billing = JSON.stringify(shop.billing)
  older
    .prepare(`insert into account values (?, ?, 'development', ?, ?, '', '[]', '[]', ?, 0, '1.0')`)
    .run(shop.id, shop.name, shop.apiKey, shop.recipientToken, billing)
  older.exec(`
    insert into link (id, payId, accountId, amount, note, status, kind, splitType, recipients, cancellable,
      isQrLink, bankTransfer, bankStatementDescription, serviceFee, callbackUrl, paymentEndpoint, targets, createdAt)
    values (1001, 1001, '${shop.id}', 4200, 'Order 7', 'paid', 'basic', 'normal', '[]', 1, 0, 0, '', '1.0', '', '',
      '[]', '2026-06-01T10:00:00.000Z');
    insert into event (at, type, accountId, linkId, data)
    values ('2026-06-02T10:00:00.000Z', 'link.paid', '${shop.id}', 1001,
      '{"type":"link.paid","accountId":"${shop.id}","linkId":1001,"payId":1001,"entryPoint":"control","method":"card","amount":4200}');
    insert into meta values ('epoch', '${epoch}'), ('taken', '2026-06-03T10:00:00.000Z')`)
  older.close()
  return readFileSync(path)
}

test.for(['001-init', '002-paid-at', '003-former-key', '004-fuller-events'])(
  'a snapshot of schema %s is migrated when it is restored, and its file stays unchanged',
  async (schema, { folder }) => {
    const bytes = await olderSnapshot(join(folder.path, 'older.db'), schema)
    await using sandbox = await openSandbox({ db: join(folder.path, 'sandbox.db') })
    expect(await upload(sandbox, 'older', bytes)).toMatchObject({
      status: 201,
      answer: { takenAt: '2026-06-03T10:00:00.000Z', problem: null },
    })
    expect((await sandbox.control('POST', '/snapshots/older/restore')).status).toBe(200)
    expect((await sandbox.control('GET', '/links/1001')).answer).toMatchObject({
      note: 'Order 7',
      amount: 42,
      // This schema has no column for it, so the event says it.
      paidAt: schema === '001-init' ? '2026-06-02T10:00:00.000Z' : null,
    })
    expect((await sandbox.control('GET', '/info')).answer.counts).toMatchObject({ accounts: 1, links: 1 })
    expect(await download(sandbox, 'older')).toEqual(bytes)
    await sandbox.control('POST', '/reset')
    expect((await sandbox.control('POST', '/snapshots/older/restore')).status).toBe(200)
    expect(sandbox.problems).toEqual([])
  },
)

/** An attempt as it was recorded before there were retries. */
const ATTEMPT = JSON.stringify({
  type: 'delivery.attempted',
  accountId: null,
  linkId: null,
  payId: null,
  deliveryId: 1,
  target: 'http://localhost:3000/',
  reason: 'its link names it',
  status: 'Success',
  cause: 'outcome',
  replayOf: null,
  attempt: 1,
  httpStatus: 200,
  error: null,
  ms: 3,
  state: 'delivered',
  possibleDuplicate: false,
})

test('triggers and views in an upload are never run, neither when it is validated nor when it is migrated', async ({
  folder,
  sandbox,
}) => {
  const older = await olderSnapshot(join(folder.path, 'older.db'), '005-account-blocks')
  const hostile = altered(
    folder.path,
    older,
    `insert into event (at, type, deliveryId, data) values ('2026-06-02T11:00:00.000Z', 'delivery.attempted', 1, '${ATTEMPT}');
    pragma writable_schema = on;
    update sqlite_master set sql = replace(sql, '"data" text not null', '"data" text not null check (json("data" || 1))')
      where name = 'event';
    update sqlite_master set sql = 'create index "eventOfAccount" on "event" (json("data" || 1), "seq")'
      where name = 'eventOfAccount'`,
  )
  expect(await upload(sandbox, 'hostile', hostile)).toMatchObject({ status: 201 })
  expect(await sandbox.control('POST', '/snapshots/hostile/restore')).toMatchObject({ status: 200 })
  expect((await sandbox.control('GET', '/links/1001')).answer.note).toBe('Order 7')
})

test('the position and time of an event come from its columns, not from its data', async ({
  folder,
  sandbox,
}) => {
  await sandbox.createLink({})
  await sandbox.control('POST', '/snapshots', { name: 'sound' })
  const change = `update event set data = json_set(data, '$.seq', 0, '$.at', 'soon')`
  const odd = altered(folder.path, await download(sandbox, 'sound'), change)
  expect(await upload(sandbox, 'odd', odd)).toMatchObject({ status: 201 })
  expect(await sandbox.control('POST', '/snapshots/odd/restore')).toMatchObject({ status: 200 })
  const { events } = (await sandbox.control('GET', '/events')).answer as {
    events: { seq: number; at: string }[]
  }
  expect(events.length).toBeGreaterThan(2)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => events[0]!.seq + index))
  expect(events.map(({ at }) => Date.parse(at))).not.toContain(NaN)
})

test('undoing a reset works across a schema update', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  const ended = (await first.control('GET', '/info')).answer.epoch
  await first.control('POST', '/reset')
  await first.close()
  rmSync(`${db}.snapshots/before-reset.db`)
  await olderSnapshot(`${db}.snapshots/before-reset.db`, '001-init', String(ended))

  await using second = await openSandbox({ db })
  expect((await second.control('POST', '/reset/undo')).status).toBe(200)
  expect((await second.control('GET', '/links/1001')).answer.note).toBe('Order 7')
})

test('a snapshot that cannot be migrated is refused when it is restored, and nothing changes', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  await sandbox.control('POST', '/snapshots', { name: 'odd' })
  const odd = new SQLite(`${db}.snapshots/odd.db`)
  odd.exec("delete from kysely_migration where name <> '001-init'")
  odd.close()
  const { status, answer } = await sandbox.control('POST', '/snapshots/odd/restore')
  expect([status, answer.detail]).toEqual([
    409,
    expect.stringMatching(
      /^The snapshot odd cannot be restored: it has a (table|index) \w+, which no sandbox creates$/,
    ),
  ])
  expect((await sandbox.control('GET', '/info')).answer.counts).toMatchObject({ accounts: 4 })
})
