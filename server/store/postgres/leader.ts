import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../platform/system/file-trouble.ts'
import { DatabaseError } from '../database-error.ts'
import type { Leader, ReplicaPlace } from '../engine.ts'
import type { PostgresAddress } from './address.ts'
import { sqlCommand, type SqlCommand } from './sql-command.ts'
import { SCHEMA_GONE } from './postgres-trouble.ts'
import { LeadershipLostError, MAX_SILENCE_MS, type Session } from './session.ts'

/** An arbitrary number that distinguishes the locks of sandboxes from those of other programs. */
const LOCK_CLASS = 0x7061_796c

/**
 * How many times a process tries to get the lock when it starts. Another process may just be ending, or the server may not have
 * noticed yet that a session has ended.
 */
const LOCK_ATTEMPTS = 10
const LOCK_PAUSE_MS = 200

/** Gets the lock of the schema, which the connection keeps until it ends. Gives up soon if another process has the lock. */
export async function lockSchema(session: Session, address: PostgresAddress): Promise<void> {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
    if (await tryLock(session, address)) return
    await pause(LOCK_PAUSE_MS)
  }
  throw new DatabaseError(
    (option) =>
      `Database ${address.label} is in use by another sandbox. Stop it, or use another schema in ${option('db')}, like ?schema=team-b.`,
  )
}

/**
 * Waits for the lock of the schema, and reports which process has it. Rejects if this process cannot follow that process. Returns
 * true if another process has led in the meantime.
 */
export async function waitForLock(
  session: Session,
  address: PostgresAddress,
  place: ReplicaPlace,
): Promise<boolean> {
  const { objectionTo, onWait, signal } = place
  const name = await readEngineName(session)
  let isListed = false
  let refusals = 0
  while (!(await tryLock(session, address))) {
    const leader = await readLeader(session)
    const objection = leader?.url === null ? startedWithoutReplicas(address) : leader && objectionTo(leader)
    // The row may still name the previous leader, until the process with the lock has written its own row.
    refusals = objection ? refusals + 1 : 0
    if (refusals > LOCK_ATTEMPTS) throw objection!
    if (leader !== undefined && !objection && !isListed) {
      await listFollower(session, place)
      isListed = true
    }
    onWait(objection ? undefined : leader, name)
    await pause(LOCK_PAUSE_MS, undefined, { signal })
  }
  return isListed
}

const startedWithoutReplicas = ({ label }: PostgresAddress): DatabaseError =>
  new DatabaseError(
    (option) =>
      `Database ${label} is in use by a sandbox that was started without ${option('replicas')}. Restart that sandbox with ${option('replicas')}, or use another schema in ${option('db')}, like ?schema=team-b.`,
  )

/** The schema is missing. Someone has dropped it, and may restore it from a backup. */
export class SchemaGoneError extends Error {
  readonly code = SCHEMA_GONE

  constructor({ schema }: PostgresAddress) {
    super(`The schema ${schema} is missing or empty.`)
  }
}

/**
 * Gets the lock again on a new connection, and returns what this process has written about itself. Rejects if another process has
 * led in between. If none has, the lost connection still has the lock, so the server ends that connection first.
 */
export async function lockAgain(session: Session, address: PostgresAddress, id: string): Promise<LeaderRow> {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
    const isLocked = await tryLock(session, address)
    const leader = await readLeader(session)
    if (leader === undefined) throw new SchemaGoneError(address)
    if (leader.id !== id) {
      throw new LeadershipLostError(leader.formerId === id ? leader.formerLastGroup : undefined)
    }
    if (isLocked) return leader
    await pause(LOCK_PAUSE_MS)
  }
  throw new Error('The lost connection still has the lock.')
}

/** Whether the database is as this process has left it. Must be called outside of a transaction. */
export async function isAsLeft(session: Session, id: string): Promise<boolean> {
  const leader = await readLeader(session)
  return leader?.id === id && leader.lastGroup === session.lastGroup
}

/**
 * Writes the number of a group in the group's transaction. This fails, together with the transaction, unless the last group in
 * the database is the last one that this process has committed. The lock alone does not prove this, because it belongs to the oid
 * of the schema, which changes if someone drops and restores the schema. The row is different if another process has led. It has
 * an older number if a standby has taken over or a backup was restored.
 */
export const writeGroup = (number: number, leader: string, before: number): SqlCommand =>
  sqlCommand(
    `with "own" as (update "leader" set "lastGroup" = $1 where "id" = $2 and "lastGroup" = $3 returning 1) select 1 / count(*) from "own"`,
    [String(number), leader, String(before)],
  )

/**
 * Makes the server end the connection of a process that has been silent for too long, because it is frozen or unreachable.
 * Another process can then lead. These limits do not apply in the middle of a message, so the server also probes the connection.
 */
export const setIdleTimeouts = (session: Session): Promise<unknown> =>
  session.query(
    [
      ...['idle_session_timeout', 'idle_in_transaction_session_timeout', 'tcp_user_timeout'].map(
        (name) => `set ${name} = ${MAX_SILENCE_MS}`,
      ),
      probe({ afterSeconds: 2, everySeconds: 1 }),
    ].join('; '),
  )

/** Makes the server end a connection, together with its lock, after one minute instead of two hours if the other side is gone. */
export const noticeLostClient = (session: Session): Promise<unknown> =>
  session.query(probe({ afterSeconds: 30, everySeconds: 10 }))

/** Makes the server probe a silent connection, and end it if three probes get no answer. */
const probe = ({ afterSeconds, everySeconds }: { afterSeconds: number; everySeconds: number }): string =>
  `set tcp_keepalives_idle = ${afterSeconds}; set tcp_keepalives_interval = ${everySeconds}; set tcp_keepalives_count = 3`

/** Some distributions add text to the version, as in `15.4 (Debian 15.4-1)`. */
export async function readEngineName(session: Session): Promise<string> {
  const { rows } = await session.query(`select current_setting('server_version') as "version"`)
  return `PostgreSQL ${String(rows[0]!.version).split(' ')[0]}`
}

/** The signed integer with the same 32 bits as an oid, which is unsigned. */
export const asInteger = (oid: string): string =>
  `((${oid}::bigint + 2147483648) % 4294967296 - 2147483648)::int4`

async function tryLock(session: Session, { schema }: PostgresAddress): Promise<boolean> {
  const { rows } = await session.query(
    `select pg_try_advisory_lock(${LOCK_CLASS}, ${asInteger('oid')}) as "isLocked" from pg_namespace where nspname = $1`,
    [schema],
  )
  return rows[0]?.isLocked === true
}

/** Lists this follower and its connection. The row counts only while the connection exists. */
const listFollower = (session: Session, { url, version }: ReplicaPlace): Promise<unknown> =>
  session.query(
    `insert into "follower" select pid, backend_start, $1, $2 from pg_stat_activity where pid = pg_backend_pid()
     on conflict ("pid") do update set "startedAt" = excluded."startedAt", "url" = excluded."url",
       "version" = excluded."version"`,
    [url, version],
  )

/** The leader uses this query to list its followers. */
export const FOLLOWERS = `select "url", "version" from "follower" join pg_stat_activity using (pid)
  where "startedAt" = backend_start and pid <> pg_backend_pid() order by "url"`

const UNDEFINED_TABLE = '42P01'

/** The current and the previous process that had the lock, and the last group that each of them committed. */
interface LeaderRow extends Leader {
  readonly lastGroup: number
  /** The history of the server when the last group was committed, as `readHistory` returns it. */
  readonly history: string | null
  readonly formerId: string | null
  readonly formerLastGroup: number
}

/** `undefined` before the tables exist. */
export async function readLeader(session: Session): Promise<LeaderRow | undefined> {
  try {
    const { rows } = await session.query(
      'select "id", "url", "options", "version", "lastGroup", "history", "formerId", "formerLastGroup" from "leader"',
    )
    return rows[0] as unknown as LeaderRow | undefined
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return undefined
    throw error
  }
}

/** Writes which process has the lock. Returns the key for sessions of the inspector, which every leader keeps. */
export async function writeLeader(
  session: Session,
  { id, url, options, version }: Leader,
  history: string | null,
): Promise<string> {
  const { rows } = await session.query(
    `with "former" as (delete from "leader" returning *)
     insert into "leader" ("id", "url", "options", "version", "history", "sessionKey", "formerId", "formerLastGroup")
       select $1, $2, $3, $4, $5, coalesce("sessionKey", $6), "former"."id", coalesce("lastGroup", 0)
       from (select) as "one" left join "former" on true
     returning "sessionKey"`,
    [id, url, options, version, history, randomBytes(32).toString('base64url')],
  )
  await session.query(
    `delete from "follower" where not exists
       (select from pg_stat_activity where pg_stat_activity.pid = "follower".pid and backend_start = "startedAt")`,
  )
  return String(rows[0]!.sessionKey)
}
