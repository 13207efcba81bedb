import { sql, type Kysely } from 'kysely'

const EVENT_TYPES = {
  'transfer.announced': 'bank_transfer.initiated',
  'transfer.rejected': 'bank_transfer.rejected',
  'page.shown': 'checkout.viewed',
  'call.answered': 'api.request',
  'call.limited': 'api.limited',
  'receiver.probed': 'check.sent',
  'tunnel.emptied': 'tunnel.cleared',
  'listener.missed': 'listener.overflowed',
}

const FAULT_STEPS = {
  ok: 'pass',
  cut: 'truncate',
  'cut:before': 'truncate:before',
  'reset:before': 'drop-request',
}

const DELIVERY_FIELDS = { because: 'reason', dueAt: 'nextAttemptAt', mayRepeat: 'possibleDuplicate' }

/**
 * Gives event types, fields of deliveries and steps of faults the names that they have today.
 *
 * A quote within a JSON string is escaped, so the text `"because":` is always a key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [before, now] of Object.entries(EVENT_TYPES)) {
    const [inData, renamed] = [`"type":"${before}"`, `"type":"${now}"`]
    await sql`update "event" set "type" = ${now}, "data" = replace("data", ${inData}, ${renamed})
      where "type" = ${before}`.execute(db)
  }
  await sql`update "event" set "data" = replace("data", '"reason":', '"heldReason":') where "type" = 'delivery.held'`.execute(
    db,
  )
  for (const [before, now] of Object.entries(DELIVERY_FIELDS)) {
    await sql`alter table "delivery" rename column ${sql.ref(before)} to ${sql.ref(now)}`.execute(db)
    const [key, renamed] = [`"${before}":`, `"${now}":`]
    await sql`update "event" set "data" = replace("data", ${key}, ${renamed}) where instr("data", ${key}) > 0`.execute(
      db,
    )
  }
  await sql`update "link" set "targets" = replace("targets", '"because":', '"reason":')`.execute(db)
  for (const [before, now] of Object.entries(FAULT_STEPS)) {
    const [step, renamed] = [`"${before}"`, `"${now}"`]
    await sql`update "fault" set "script" = replace("script", ${step}, ${renamed})`.execute(db)
    await sql`update "event" set "data" = replace("data", ${step}, ${renamed})
      where "type" in ('fault.added', 'fault.removed')`.execute(db)
    await sql`update "event" set "data" = replace("data", ${`"effect":${step}`}, ${`"effect":${renamed}`})
      where instr("data", ${`"effect":${step}`}) > 0`.execute(db)
  }
}
