import { sql, type Kysely } from 'kysely'
import type { Database } from '../schema.ts'
import { numberKeyOf, TABLES, tables } from '../tables.ts'
import type { SnapshotHeader } from './snapshot-header.ts'

/** Few, because each row can have two bodies of several MiB. */
const ROWS_PER_STEP = 50

type Row = Record<string, unknown>

export async function countRows(db: Kysely<Database>): Promise<SnapshotHeader['rows']> {
  const counts: [string, number][] = []
  for (const table of TABLES) {
    const { rows } = await db
      .selectFrom(table)
      .select(sql<number>`count(*)`.as('rows'))
      .executeTakeFirstOrThrow()
    counts.push([table, Number(rows)])
  }
  return Object.fromEntries(counts) as SnapshotHeader['rows']
}

/** The lines of a snapshot: its header, and each row as `["table", {"column": value}]`. A body that is not text is `{"base64": "…"}`. */
export async function* writeLines(db: Kysely<Database>, header: SnapshotHeader): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`
  for (const table of TABLES) {
    for await (const rows of readTable(db, table)) yield rows.map((row) => lineFor(table, row)).join('')
  }
}

/** Does not use a replacer of `JSON.stringify`, which would take several times as long as everything else. */
function lineFor(table: keyof Database, row: Row): string {
  const bytes = Object.entries(row).filter(([, value]) => value instanceof Uint8Array)
  const texts = bytes.map(([name, value]) => [
    name,
    { base64: Buffer.from(value as Uint8Array).toString('base64') },
  ])
  return `${JSON.stringify([table, texts.length === 0 ? row : { ...row, ...Object.fromEntries(texts) }])}\n`
}

/** Reads a table in steps, if it can be large. */
async function* readTable(db: Kysely<Database>, table: keyof Database): AsyncGenerator<Row[]> {
  const all = db.selectFrom(table).select(Object.keys(tables[table].columns) as never)
  const key = numberKeyOf(table)
  if (key === undefined) {
    // Accounts are sorted by `rowid`, because no other column shows the sequence of their creation.
    yield await (table === 'account' ? all.orderBy(sql`rowid`) : all).execute()
    return
  }
  const column = sql.ref<number>(key)
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const step = all.where(column, '>', after).orderBy(column).limit(sql.lit(ROWS_PER_STEP))
    const rows: Row[] = await step.execute()
    yield rows
    if (rows.length < ROWS_PER_STEP) return
    after = rows.at(-1)![key] as number
  }
}
