import SQLite from 'better-sqlite3'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runSandbox } from '../../server/runtime/sandbox.ts'
import { migrateAlone } from '../../server/store/migrations/migrate.ts'
import { openDatabase } from '../../server/store/open-database.ts'
import { UNDO_RENAMES, UNDO_MIGRATIONS } from '../support/undo-migrations.ts'
import { startSandboxCli } from '../support/cli.ts'
import { openSandbox, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('a second sandbox cannot open the same file, and says so', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await runSandbox({ db })

  await expect(runSandbox({ db })).rejects.toThrow(
    `Database ${db} is in use by another sandbox or program. Stop that one, or set db to another file.`,
  )
  await first.close()
  await using third = await runSandbox({ db })
  expect((await fetch(`${third.url}/_sandbox/ready`)).status).toBe(200)
})

test('a stopped sandbox leaves its database and no other file', async ({ folder }) => {
  await using sandbox = await startSandboxCli(['--port', '0', '--db', 'a.db'], { cwd: folder.path })
  expect((await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
  expect(await sandbox.end('SIGTERM')).toBe(0)
  expect(readdirSync(folder.path)).toEqual(['a.db'])
})

test('other programs can read the file of a running sandbox', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await using _sandbox = await runSandbox({ db })
  const reader = new SQLite(db, { readonly: true })
  expect(reader.prepare('select count(*) as number from account').get()).toEqual({ number: 4 })
  reader.close()
})

test('a file that is not a database is left unchanged', async ({ folder }) => {
  const db = join(folder.path, 'notes.txt')
  writeFileSync(db, 'These are notes, and no database at all.'.repeat(100))
  await expect(openDatabase(db)).rejects.toThrow(`Database ${db} cannot be opened: file is not a database.`)
})

test.for(['delete', 'wal'])(
  'a database of another program, in journal mode %s, is left unchanged',
  async (mode, { folder }) => {
    const db = join(folder.path, 'notes.db')
    const foreign = new SQLite(db)
    foreign.exec('create table account (a); create table foo (a); insert into foo values (1)')
    foreign.pragma(`journal_mode = ${mode}`)
    foreign.close()
    const before = readFileSync(db)

    await expect(openDatabase(db)).rejects.toThrow(
      `Database ${db} cannot be opened: it contains foo, which is not a table of the sandbox. Set db to another file.`,
    )
    expect(readFileSync(db).equals(before)).toBe(true)
    expect(readdirSync(folder.path)).toEqual(['notes.db'])
  },
)

test('a start after an interrupted first start completes the database', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const begun = new SQLite(db)
  begun.exec(
    'create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)',
  )
  begun.close()
  await (await openDatabase(db)).close()
})

test('a file of a newer version is left unchanged', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await (await openDatabase(db)).close()
  const later = new SQLite(db)
  later.prepare("insert into kysely_migration values ('999-later', '2030-01-01')").run()
  later.close()

  await expect(openDatabase(db)).rejects.toThrow(
    `Database ${db} was written by a newer version. Update paylink-sandbox`,
  )
})

test('the error tells a folder in place of the file from a file in place of the folder', async ({
  folder,
}) => {
  await expect(openDatabase(folder.path)).rejects.toThrow(
    `Database ${folder.path} is a folder. Set db to a file, such as ${join(folder.path, 'sandbox.db')}.`,
  )
  const notes = join(folder.path, 'notes.txt')
  writeFileSync(notes, 'Notes.')
  const db = join(notes, 'sandbox.db')
  await expect(openDatabase(db)).rejects.toThrow(
    `Database ${db} cannot be created: ${notes} is not a folder. Set db to a file in a writable folder.`,
  )
  expect(readdirSync(folder.path)).toEqual(['notes.txt'])
})

test('missing folders are created', async ({ folder }) => {
  const db = join(folder.path, 'a', 'b', 'c', 'sandbox.db')
  await (await openDatabase(db)).close()
  expect(readdirSync(join(folder.path, 'a', 'b', 'c'))).toContain('sandbox.db')
})

test('a file locked by another program is waited for, then left unchanged', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await (await openDatabase(db)).close()
  const other = new SQLite(db)
  other.exec('begin exclusive')

  await expect(openDatabase(db)).rejects.toThrow(
    `Database ${db} is in use by another sandbox or program. Stop that one, or set db to another file.`,
  )
  other.close()
  await (await openDatabase(db)).close()
})

// Root may write to any file.
test.skipIf(process.getuid?.() === 0)('a read-only file is left unchanged', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await (await openDatabase(db)).close()
  chmodSync(db, 0o444)
  await expect(openDatabase(db)).rejects.toThrow(
    `Database ${db} cannot be opened: it is read-only. Give this user the right to write to the file and its folder`,
  )
})

test.skipIf(process.getuid?.() === 0)(
  'a database in a read-only folder is refused, existing or new',
  async ({ folder }) => {
    const inside = join(folder.path, 'inside')
    mkdirSync(inside)
    const db = join(inside, 'sandbox.db')
    await (await openDatabase(db)).close()
    writeFileSync(`${db}.lock`, '')
    chmodSync(inside, 0o555)

    await expect(openDatabase(db)).rejects.toThrow(
      `Database ${db} cannot be opened: it is read-only. Give this user the right to write to the file and its folder, or set db to another file.`,
    )
    await expect(openDatabase(join(inside, 'new.db'))).rejects.toThrow(
      /new\.db cannot be created: EACCES.*\. Set db to a file in a writable folder\.$/,
    )
    chmodSync(inside, 0o755)
  },
)

test('a damaged page fails only the requests that read it', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  for (let links = 0; links < 20; links++) await first.createLink()
  await first.close()
  damageOldestEvents(db)

  await using second = await openSandbox({ db })
  const { status, answer } = await second.control('GET', '/events?limit=1000')
  expect([status, answer.detail]).toEqual([
    500,
    'The sandbox cannot use its database: the file is damaged. Move it away.',
  ])
  expect(second.problems).toMatchObject([
    {
      name: 'DatabaseError',
      message: `Database ${db} cannot be used: the file is damaged. Move it away. Until then, requests that need it fail.`,
    },
  ])
  expect((await second.createLink()).id).toBe(1021)
})

test('a file without its first page is left unchanged', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await (await openDatabase(db)).close()
  const bytes = readFileSync(db).fill(0xff, 16, 4096)
  writeFileSync(db, bytes)
  await expect(openDatabase(db)).rejects.toThrow(/cannot be opened: file is not a database. Move it away/)
  expect(readFileSync(db).equals(bytes)).toBe(true)
})

/** Overwrites the page with the first events of the journal. */
function damageOldestEvents(db: string): void {
  const sqlite = new SQLite(db)
  const page = sqlite
    .prepare("select pageno from dbstat where name = 'event' and pagetype = 'leaf' order by path limit 1")
    .pluck()
    .get() as number
  const size = sqlite.pragma('page_size', { simple: true }) as number
  sqlite.close()
  const bytes = readFileSync(db)
  writeFileSync(db, bytes.fill(0xff, (page - 1) * size, page * size))
}

test('migrating adds the time of payment to links paid before it was recorded', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db, now: () => new Date('2026-11-10T12:00:00.000Z') })
  for (let links = 0; links < 2; links++) await first.createLink()
  await first.control('POST', '/links/1001/pay')
  await first.close()
  const earlier = new SQLite(db)
  earlier.exec(`drop index "linkPaid"; alter table link drop column "paidAt";
    drop table "formerKey"; ${UNDO_MIGRATIONS}; delete from kysely_migration where name >= '002'`)
  earlier.close()

  await using second = await openSandbox({ db })
  const paidAt = async (id: number) => (await second.control('GET', `/links/${id}`)).answer.paidAt
  expect([await paidAt(1001), await paidAt(1002)]).toEqual(['2026-11-10T12:00:00.000Z', null])
})

test('a new database has the schema that all migrations make', async ({ folder }) => {
  const file = join(folder.path, 'new.db')
  await (await openDatabase(file)).close()
  const created = new SQLite(file)
  const migrated = new SQLite(':memory:')
  await migrateAlone(migrated)

  const schema = (db: SQLite.Database) =>
    db.prepare('select type, name, sql from sqlite_master order by rowid').all()
  expect(schema(created)).toEqual(schema(migrated))
  for (const rows of ['select name from kysely_migration', 'select * from kysely_migration_lock']) {
    expect(created.prepare(rows).all()).toEqual(migrated.prepare(rows).all())
  }
  created.close()
  migrated.close()
})

test('migrated events of an older journal have all fields', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  await fetch(`${first.url}/tunnel/mine`, { method: 'POST' })
  await first.createLink()
  await first.control('POST', '/links/1001/pay')
  await first.control('PATCH', `/accounts/${shop.id}`, { name: 'Another' })
  await first.close()
  const earlier = new SQLite(db)
  earlier.exec(`update event set data = json_remove(data, '$.capturedDeliveryId', '$.fields', '$.nextAttemptAt');
    ${UNDO_MIGRATIONS}; delete from kysely_migration where name >= '004'`)
  earlier.close()

  await using second = await openSandbox({ db })
  const { answer } = await second.control(
    'GET',
    '/events?type=tunnel.captured,account.changed,delivery.attempted',
  )
  expect(answer.events).toMatchObject([
    { capturedDeliveryId: null },
    { capturedDeliveryId: null },
    { nextAttemptAt: null },
    { fields: [] },
  ])
})

test('migrating renames what an older version named differently', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const publicUrl = 'http://localhost:4400'
  const first = await openSandbox({ db, publicUrl })
  await first.createLink({
    payment_endpoint: 'https://shop.example/hooks',
    recipient_note: 'says "because": ok',
  })
  await first.control('POST', '/links/1001/pay', { method: 'bank-transfer' })
  await first.control('POST', '/links/1001/approve-transfer')
  await first.control('POST', '/faults', { on: 'api', script: 'pass,truncate,truncate:before,drop-request' })
  await first.call('createLink', { amount: 1 })
  await first.call('createLink', { amount: 1 }).catch(() => undefined)
  await fetch(`${first.url}/payment?link_id=MTAwMQ`)
  await first.control('POST', '/accounts', { name: 'Flowers' })
  await first.control('PUT', '/maps', { maps: [{ from: 'https://map.example', to: 'http://localhost:9' }] })
  await fetch(`${first.url}/tunnel/flowers`, { method: 'POST', body: 'x' })
  const everything = async (sandbox: typeof first) => {
    const paths = ['/events?limit=1000', '/links', '/deliveries', '/faults', '/maps', '/tunnels', '/accounts']
    const [journal, ...others] = await Promise.all(paths.map((path) => sandbox.control('GET', path)))
    const events = journal!.answer['events'] as readonly { readonly type: string }[]
    return {
      events: events.filter(({ type }) => type !== 'sandbox.started'),
      others: others.map(({ answer }) => answer),
    }
  }
  const before = await everything(first)
  await first.close()
  const earlier = new SQLite(db)
  earlier.exec(`${UNDO_RENAMES}; delete from kysely_migration where name >= '016'`)
  earlier.close()

  await using second = await openSandbox({ db, publicUrl })
  expect(await everything(second)).toEqual(before)
})

test('a migration that fails halfway leaves the database unchanged, and the next start repeats it', async ({
  folder,
}) => {
  const db = join(folder.path, 'old.db')
  await (await openSandbox({ db })).close()
  const earlier = new SQLite(db)
  earlier.exec(`${UNDO_RENAMES}; delete from kysely_migration where name >= '016'`)
  // Migration 019 fails at the end of its work.
  earlier.exec(
    `create trigger halfway before insert on kysely_migration when new.name = '019-bodies' begin select raise(abort, 'halfway'); end`,
  )
  const schema = (sqlite: SQLite.Database) =>
    sqlite.prepare('select name, sql from sqlite_master order by name').all()
  const before = schema(earlier)
  earlier.close()
  await expect(openDatabase(db)).rejects.toThrow('halfway')
  const failed = new SQLite(db)
  expect(schema(failed)).toEqual(before)
  failed.exec('drop trigger halfway')
  failed.close()

  await using _sandbox = await openSandbox({ db })
})

test('bodies of an older journal are readable, also those that are not text', async ({ folder }) => {
  const db = join(folder.path, 'old.db')
  await (await openSandbox({ db })).close()
  const earlier = new SQLite(db)
  earlier.exec(`${UNDO_RENAMES}; delete from kysely_migration where name >= '016'`)
  const body = (encoding: string, content: string, size: number) => ({ encoding, content, size })
  const exchange = {
    request: { method: 'POST', url: 'http://localhost/', headers: [], body: body('base64', '/wD/', 3) },
    response: { status: 200, headers: [['a', 'b']], body: body('utf8', 'says "hello"\u0000', 100) },
  }
  earlier
    .prepare("update event set exchange = ? where type = 'sandbox.started'")
    .run(JSON.stringify(exchange))
  earlier.close()

  await using sandbox = await openSandbox({ db })
  const { answer } = await sandbox.control('GET', '/events/1')
  expect(answer).toMatchObject({ exchange })
})
