import { randomUUID } from 'node:crypto'
import { codeOf } from '../../platform/system/file-trouble.ts'
import type { Rewind } from '../engine.ts'
import type { PostgresAddress } from './address.ts'
import type { Session } from './session.ts'

/**
 * The error codes of a server that does not show its history: the user lacks a privilege, or the functions are missing,
 * unsupported, or need logical replication (Amazon Aurora).
 */
const UNKNOWN_HISTORY: ReadonlySet<string> = new Set(['42501', '42883', '0A000', '55000'])

/**
 * Identifies the schema and the history of its server. A new history begins when a standby takes over or a backup is restored,
 * which may lose the newest commits. `null` if the server does not show its history.
 */
export async function readServerHistory(
  session: Session,
  { schema }: PostgresAddress,
): Promise<string | null> {
  try {
    const { rows } = await session.query(
      // The first eight digits of the name are the timeline.
      `select concat_ws('/', (pg_control_system()).system_identifier,
         left(pg_walfile_name(pg_current_wal_lsn()), 8), oid) as "history" from pg_namespace where nspname = $1`,
      [schema],
    )
    return (rows[0]?.history as string | undefined) ?? null
  } catch (error) {
    if (UNKNOWN_HISTORY.has(codeOf(error))) return null
    throw error
  }
}

/** Whether the newest commits may have been lost in between. */
export const isDifferentHistory = (before: string | null, after: string | null): boolean =>
  before !== null && after !== null && before !== after

/**
 * Begins a new epoch, because events are lost and their numbers will be used again. Returns the remaining state. Writes the
 * history of the server together with the epoch, so that a process that is killed in between cannot hide the loss.
 */
export async function beginEpochAfterLoss(session: Session, history: string | null): Promise<Rewind> {
  const { rows } = await session.query(
    `select (select coalesce(max("seq"), 0) from "event") as "head",
       (select "value" from "meta" where "key" = 'epoch') as "epoch"`,
  )
  await session.query(
    `with "new" as (update "meta" set "value" = $1 where "key" = 'epoch')
     update "leader" set "history" = $2`,
    [randomUUID(), history],
  )
  return { head: Number(rows[0]!.head), epoch: (rows[0]!.epoch as string | null) ?? undefined }
}

export const writeServerHistory = (session: Session, history: string | null): Promise<unknown> =>
  session.query('update "leader" set "history" = $1', [history])
