import SQLite from 'better-sqlite3'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runSandbox } from '../../server/runtime/sandbox.ts'
import { openDatabase } from '../../server/store/open-database.ts'
import { runCli, startSandboxCli } from '../support/cli.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('a second sandbox cannot open the same file, and explains why', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await runSandbox({ db })

  await expect(runSandbox({ db })).rejects.toThrow(
    `Database ${db} is in use by another sandbox or program. Stop the other one, or set db to another file.`,
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

test('other programs can read the database file of a running sandbox', async ({ folder }) => {
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

const SPOILED: readonly [what: string, statements: string][] = [
  ['another version', `update "schemaVersion" set "version" = '0'`],
  ['no version', 'delete from "schemaVersion"'],
  ['no table of versions', 'drop table "schemaVersion"'],
  [
    'tables like those before there were versions',
    'drop table "schemaVersion"; create table kysely_migration (name text primary key)',
  ],
]

test.for(SPOILED)('a database with %s is left unchanged', async ([_what, statements], { folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await (await openDatabase(db)).close()
  const other = new SQLite(db)
  other.exec(statements)
  other.close()
  const before = readFileSync(db)

  await expect(openDatabase(db)).rejects.toThrow(
    `Database ${db} was written by another version of paylink-sandbox. Move it away, or set db to another file.`,
  )
  expect(readFileSync(db).equals(before)).toBe(true)
  expect(readdirSync(folder.path)).toEqual(['sandbox.db'])
})

test('the command line exits with 2 for a database of another version', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await (await openDatabase(db)).close()
  const other = new SQLite(db)
  other.exec(`update "schemaVersion" set "version" = '0'`)
  other.close()

  const { code, stderr } = await runCli(['start', '--port', '0', '--db', db], { cwd: folder.path })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `Database ${db} was written by another version of paylink-sandbox. Move it away, or set --db to another file.\n`,
  })
})

test('if a start was killed before it created the tables, the next start creates them', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  writeFileSync(db, '')
  await (await openDatabase(db)).close()
  await (await openDatabase(db)).close()
})

test('the error says whether the file is a folder, or the folder is a file', async ({ folder }) => {
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
    `Database ${db} is in use by another sandbox or program. Stop the other one, or set db to another file.`,
  )
  other.close()
  await (await openDatabase(db)).close()
})

// Root may write to any file, so the test is skipped.
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
      /new\.db cannot be created: this user may not create it\. Set db to a file in a writable folder\.$/,
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
  const { status, answer } = await second.rawControl('GET', '/events?limit=1000')
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
