import type SQLite from 'better-sqlite3'
import { sql, type Kysely } from 'kysely'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { randomUUID } from 'node:crypto'
import type { SideEffect } from '../side-effect.ts'
import { latestSchema } from '../migrations/latest-schema.evaluated.ts'
import { TABLES, type Database } from '../schema.ts'
import { createMemoryStorage } from '../snapshots/memory-storage.ts'
import { openSnapshot } from '../snapshots/open-snapshot.ts'
import { countLinks, readEpoch, readSnapshotMetadata } from '../snapshots/snapshot-metadata.ts'
import type { SnapshotMetadata } from '../snapshots/snapshot-metadata.ts'
import type { SnapshotStorage } from '../snapshots/snapshot-storage.ts'
import type { SnapshotRows } from '../snapshots/snapshots.ts'
import { connectSqlite } from '../sqlite/load-sqlite.ts'

const ROWS_PER_STEP = 500

/** Copies rows between PostgreSQL and a SQLite file, the format in which snapshots are kept and exchanged. */
export const postgresRows: SnapshotRows = {
  async save(at, db) {
    const copy = connectSqlite(':memory:')
    try {
      for (const statement of latestSchema) copy.exec(statement)
      copy.exec('begin')
      for (const table of TABLES) await saveTable(db, table, copy)
      copy.prepare(`insert or replace into meta values ('taken', ?)`).run(at)
      copy.exec('commit')
      const metadata: SnapshotMetadata = {
        takenAt: at,
        epoch: readEpoch(copy),
        links: countLinks(copy),
        problem: null,
        isOlder: false,
      }
      return { bytes: copy.serialize(), metadata }
    } finally {
      copy.close()
    }
  },
  async restore(source, db) {
    for (const table of TABLES.toReversed()) await db.deleteFrom(table).execute()
    for (const table of TABLES) await restoreTable(source, table, db)
    await sql`delete from meta where key in ('taken', 'undo')`.execute(db)
  },
}

async function saveTable(db: Kysely<Database>, table: keyof Database, copy: SQLite.Database): Promise<void> {
  const columns = columnsOf(copy, table)
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const insert = copy.prepare(
    `insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`,
  )
  // Accounts have an order that no column of the file holds.
  const order = table === 'account' ? 'order by rowid' : ''
  await sql`${sql.raw(`declare copied no scroll cursor for select ${names} from "${table}" ${order}`)}`.execute(
    db,
  )
  for (;;) {
    const { rows } = await sql<
      Record<string, unknown>
    >`${sql.raw(`fetch ${ROWS_PER_STEP} from copied`)}`.execute(db)
    for (const row of rows) insert.run(columns.map(({ name }) => row[name]))
    if (rows.length < ROWS_PER_STEP) break
  }
  await sql`close copied`.execute(db)
}

async function restoreTable(
  source: SQLite.Database,
  table: keyof Database,
  db: Kysely<Database>,
): Promise<void> {
  const columns = columnsOf(source, table)
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const insert = async (rows: readonly unknown[][]): Promise<void> => {
    if (rows.length === 0) return
    const lists = columns.map(({ type }, index) => {
      const list = rows.map((row) => row[index])
      return sql`${sql.val(list)}::${sql.raw(ARRAY_TYPES[type] ?? 'text')}[]`
    })
    await sql`insert into ${sql.table(table)} (${sql.raw(names)}) select * from unnest(${sql.join(lists)})`.execute(
      db,
    )
  }
  let step: unknown[][] = []
  let bytes = 0
  const rows = source.prepare<[], unknown[]>(`select ${names} from "${table}" not indexed`).raw()
  for (const row of rows.all()) {
    step.push(row)
    bytes += row.reduce<number>((total, value) => total + sizeOf(value), 0)
    if (step.length < ROWS_PER_STEP && bytes < MAX_STEP_BYTES) continue
    await insert(step)
    step = []
    bytes = 0
  }
  await insert(step)
}

const MAX_STEP_BYTES = 4 * 1024 * 1024

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 0

const ARRAY_TYPES: Readonly<Record<string, string>> = { INTEGER: 'bigint', REAL: 'double precision' }

const columnsOf = (file: SQLite.Database, table: string) =>
  file
    .prepare<[string], { name: string; type: string }>(
      'select name, upper(type) as type from pragma_table_info(?)',
    )
    .all(table)

/** A multiple of three, so that the base64 text of a part is as short as it can be. */
const PART_BYTES = 3 * 1024 * 1024

interface Kept {
  readonly id: string
  readonly size: number
  readonly metadata: SnapshotMetadata
}

/**
 * Keeps snapshots in the schema of the sandbox. Their rows change with the unit of work. Their metadata is also
 * held in memory, because no other process changes it.
 */
export async function createPostgresStorage(db: Kysely<Database>): Promise<SnapshotStorage> {
  const uploads = createMemoryStorage()
  const known = new Map<string, Kept>()
  const { rows: all } = await sql<Kept & { name: string; metadata: string }>`
    select "name", "id", "size", "metadata" from "snapshot"`.execute(db)
  for (const { name, id, size, metadata } of all) {
    known.set(name, { id, size, metadata: JSON.parse(metadata) as SnapshotMetadata })
  }

  function change(name: string, next: Kept | undefined): SideEffect {
    const before = known.get(name)
    const set = (kept: Kept | undefined): unknown => (kept ? known.set(name, kept) : known.delete(name))
    set(next)
    return { onCommit() {}, onRollback: () => void set(before) }
  }

  async function save(
    name: string,
    bytes: Buffer,
    metadata: SnapshotMetadata,
    at: Kysely<Database>,
  ): Promise<SideEffect> {
    const id = randomUUID()
    await erase(name, at)
    await sql`insert into "snapshot" ("name", "id", "size", "metadata")
      values (${name}, ${id}, ${bytes.length}, ${JSON.stringify(metadata)})`.execute(at)
    for (let from = 0, part = 0; from < bytes.length; from += PART_BYTES, part++) {
      const text = bytes.toString('base64', from, Math.min(from + PART_BYTES, bytes.length))
      await sql`insert into "snapshotPart" ("snapshot", "part", "bytes")
        values (${id}, ${part}, decode(${text}, 'base64'))`.execute(at)
    }
    return change(name, { id, size: bytes.length, metadata })
  }

  /** The bytes of a snapshot, in parts. Rejects if it was replaced in between. */
  async function* read({ id, size }: Kept, at: Kysely<Database>): AsyncGenerator<Buffer> {
    for (let part = 0; part * PART_BYTES < size; part++) {
      const { rows } = await sql<{ text: string }>`select encode("bytes", 'base64') as "text"
        from "snapshotPart" where "snapshot" = ${id} and "part" = ${part}`.execute(at)
      if (!rows[0]) throw new Error('The snapshot was replaced or deleted while it was read.')
      yield Buffer.from(rows[0].text, 'base64')
    }
  }

  return {
    names: () => [...known.keys()],
    metadata: (name) => known.get(name)!.metadata,
    size: (name) => known.get(name)!.size,
    open: async (name, at) => openSnapshot(await buffer(read(known.get(name)!, at))),
    read: (name) => Readable.from(read(known.get(name)!, db)),
    save,
    createUpload: uploads.createUpload,
    saveUpload(name, { path }, at) {
      const bytes = readFileSync(path)
      return save(
        name,
        bytes,
        readSnapshotMetadata(() => openSnapshot(bytes)),
        at,
      )
    },
    async remove(name, at) {
      await erase(name, at)
      return change(name, undefined)
    },
  }
}

const erase = (name: string, db: Kysely<Database>) =>
  sql`delete from "snapshot" where "name" = ${name}`.execute(db)
