import { sql, type Kysely } from 'kysely'

const TABLES = {
  block: 'idBlock',
  beginning: 'accountOriginal',
  outlet: 'egressRule',
  capture: 'capturedRequest',
  waiting: 'pendingRequest',
}

const COLUMNS = [
  ['idBlock', 'place', 'position'],
  ['capturedRequest', 'lane', 'path'],
] as const

const META_KEYS = {
  swept: 'lastDeletedDelivery',
  sweptLinks: 'lastDeletedLink',
  faults: 'lastDeletedFault',
  sweeps: 'deletions',
}

/** Gives tables, columns and keys of `meta` the names that they have today. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [before, now] of Object.entries(TABLES))
    await db.schema.alterTable(before).renameTo(now).execute()
  for (const [table, before, now] of COLUMNS) {
    await db.schema.alterTable(table).renameColumn(before, now).execute()
  }
  for (const [before, now] of Object.entries(META_KEYS)) {
    await sql`update "meta" set "key" = ${now} where "key" = ${before}`.execute(db)
  }
}
