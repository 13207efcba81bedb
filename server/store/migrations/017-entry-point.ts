import { sql, type Kysely } from 'kysely'

const EVENT_KEYS = [
  [
    'door',
    'entryPoint',
    [
      'link.paid',
      'link.cancelled',
      'link.declined',
      'link.deleted',
      'bank_transfer.initiated',
      'bank_transfer.rejected',
    ],
  ],
  ['carried', 'capturedDeliveryId', ['tunnel.captured']],
  ['of', 'eventSeq', ['tunnel.answered', 'diagnostic.found']],
] as const

const FAULT_COLUMNS = { asked: 'matched', struck: 'triggered' }

/**
 * Renames fields of events and faults.
 *
 * A quote within a JSON string is escaped, so the text `"door":` is always a key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [before, now, types] of EVENT_KEYS) {
    const [key, renamed] = [`"${before}":`, `"${now}":`]
    await sql`update "event" set "data" = replace("data", ${key}, ${renamed})
      where "type" in (${sql.join(types)})`.execute(db)
  }
  for (const [before, now] of Object.entries(FAULT_COLUMNS)) {
    await sql`alter table "fault" rename column ${sql.ref(before)} to ${sql.ref(now)}`.execute(db)
  }
}
