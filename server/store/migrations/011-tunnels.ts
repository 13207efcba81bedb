import { sql, type Kysely } from 'kysely'

/** Adds the answers, captured requests and listeners of tunnels, and the requests that are pending for listeners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tunnel')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('delayMs', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('capture')
    .addColumn('seq', 'integer', (column) => column.primaryKey().references('event.seq').onDelete('cascade'))
    .addColumn('tunnel', 'text', (column) => column.notNull())
    .addColumn('lane', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('captureOfTunnel').on('capture').columns(['tunnel', 'seq', 'size']).execute()
  await db.schema
    .createTable('listener')
    .addColumn('tunnel', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('to', 'text', (column) => column.notNull())
    .addColumn('connections', 'integer', (column) => column.notNull())
    .addColumn('dropped', 'integer', (column) => column.notNull())
    .addColumn('connectedAt', 'text', (column) => column.notNull())
    .addColumn('awaySince', 'text')
    .addPrimaryKeyConstraint('listenerKey', ['tunnel', 'id'])
    .execute()
  await db.schema
    .createTable('waiting')
    .addColumn('tunnel', 'text', (column) => column.notNull())
    .addColumn('listener', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull().references('capture.seq').onDelete('cascade'))
    .addColumn('connection', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('waitingKey', ['tunnel', 'listener', 'seq'])
    .addForeignKeyConstraint('waitingFor', ['tunnel', 'listener'], 'listener', ['tunnel', 'id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()
  await db.schema.createIndex('waitingSeq').on('waiting').column('seq').execute()
  // Requests that were captured before are pending for nobody, so their path does not matter.
  await sql`insert into "capture" ("seq", "tunnel", "lane", "size")
    select "seq", "data" ->> '$.tunnel', '/', coalesce("data" ->> '$.size', 0) from "event"
    where "type" = 'tunnel.captured' and "data" ->> '$.status' < 400`.execute(db)
}
