import {
  CompiledQuery,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  replaceWithNoncontingentExpression,
} from 'kysely'
import { randomUUID } from 'node:crypto'
import { codeOf } from '../../platform/system/file-trouble.ts'
import { findForeignTable, READ_VERSION } from '../create-schema.ts'
import { DatabaseError } from '../database-error.ts'
import {
  GroupRolledBackError,
  type Engine,
  type Follower,
  type GroupCommit,
  type ReplicaPlace,
  type Rewind,
} from '../engine.ts'
import type { Database } from '../schema.ts'
import { WriterState, type Defer, type WriterAdapter } from '../writer-state.ts'
import { Snapshots } from '../snapshots/snapshots.ts'
import { parseAddress, type PostgresAddress } from './address.ts'
import { explainStart } from './explain-start.ts'
import { PostgresGroup } from './group.ts'
import {
  FOLLOWERS,
  isAsLeft,
  setIdleTimeouts,
  lockAgain,
  lockSchema,
  readEngineName,
  readLeader,
  noticeLostClient,
  SchemaGoneError,
  waitForLock,
  writeGroup,
  writeLeader,
} from './leader.ts'
import { loadPg } from './pg-module.ts'
import { LEADER_INDEX, postgresSchema } from './postgres-schema.ts'
import { createPostgresStorage } from './postgres-storage.ts'
import { STANDBY } from './postgres-trouble.ts'
import { requireOwnConnection } from './require-own-connection.ts'
import { beginEpochAfterLoss, isDifferentHistory, readServerHistory, writeServerHistory } from './rewind.ts'
import { Session } from './session.ts'
import { createWriteTrouble } from './write-trouble.ts'

/**
 * Opens the database of a sandbox on PostgreSQL, which is one schema. Creates a missing schema. With `place`, waits until this
 * process leads.
 */
export async function openPostgres(url: string, place?: ReplicaPlace): Promise<Engine> {
  const address = parseAddress(url)
  const pg = await loadPg(address.label)
  const state = new WriterState()
  /** Identifies this process in the schema. After a reconnect, the schema shows whether another process has used it. */
  const leader = randomUUID()
  let isOpen = false
  /** Whether this process continues with the data of another process. It must then not create an empty schema. */
  let isTakeover = place?.isTakeover === true
  const rewinds = createRewinds()
  const session = new Session(pg, address, state, async (connected) => {
    await requirePrimary(connected)
    await requireOwnConnection(connected, address)
    await connected.query(`set search_path to "${address.schema}"; ${PLANNER_SETTINGS}`)
    await (place ? setIdleTimeouts(connected) : noticeLostClient(connected))
    if (isOpen) return continueAfter(connected)
    await requireServer(connected, address)
    if (isTakeover) await requireTables(connected, address)
    else await requireSchema(connected, address)
    if (place) isTakeover = (await waitForLock(connected, address, place)) || isTakeover
    else await lockSchema(connected, address)
    // While this process waited, another process may have created or dropped the tables.
    if (isTakeover) await requireTables(connected, address)
    await requireSchema(connected, address)
    return 0
  })

  /** Continues on a new connection. Returns the number of the last group in the database. */
  async function continueAfter(connected: Session): Promise<number> {
    await requireTables(connected, address)
    const { lastGroup, history: before } = await lockAgain(connected, address, leader)
    const history = await readServerHistory(connected, address)
    if (lastGroup < connected.lastGroup) rewinds.report(await beginEpochAfterLoss(connected, history))
    else if (history !== before) await writeServerHistory(connected, history)
    return lastGroup
  }

  const writing = createWriteTrouble(session, address)
  session.onFailure = writing.note
  let groups = 0
  try {
    await session.open()
    const db = new Kysely<Database>({
      dialect: new WriterDialect(session, state),
      plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
    })
    await createTablesIfEmpty(session, address)
    const history = await readServerHistory(session, address)
    const former = await readLeader(session)
    if (former && isDifferentHistory(former.history, history)) {
      rewinds.report(await beginEpochAfterLoss(session, history))
    }
    const self = {
      id: leader,
      url: place?.url ?? null,
      options: place?.options ?? null,
      version: place?.version ?? null,
    }
    const sessionKey = await writeLeader(session, self, history)
    // From now on, a new connection is accepted only if no other process has led in between.
    isOpen = true
    const snapshots = new Snapshots(await createPostgresStorage(db))
    const watch = session.watch(() => isAsLeft(session, leader), place?.onLost ?? (() => undefined))
    return {
      name: await readEngineName(session),
      db,
      commitsWaitForDisk: true,
      snapshots,
      sessionKey,
      ...(place && { leadership: { ...watch, followers: () => listFollowers(db) } }),
      onRewind: rewinds.subscribe,
      group: (run) =>
        db
          .connection()
          .execute((connection) =>
            runGroup(
              session,
              state,
              connection,
              { number: ++groups, leader, isReplica: place !== undefined },
              run,
            ),
          ),
      // PostgreSQL itself reuses the space of deleted rows.
      compact: async () => undefined,
      trouble: async () => session.trouble() ?? (await writing.trouble()),
      async close() {
        await db.destroy()
        await session.end()
      },
    }
  } catch (error) {
    await session.end()
    throw explainStart(address, error)
  }
}

async function listFollowers(db: Kysely<Database>): Promise<readonly Follower[]> {
  return (await db.executeQuery<Follower>(CompiledQuery.raw(FOLLOWERS))).rows
}

/** Reports lost commits, even to a listener that subscribes later. */
function createRewinds() {
  let listener: ((rewind: Rewind) => void) | undefined
  let reported: Rewind | undefined
  return {
    report(rewind: Rewind): void {
      reported = rewind
      listener?.(rewind)
    },
    subscribe(next: (rewind: Rewind) => void): void {
      listener = next
      if (reported !== undefined) next(reported)
    },
  }
}

class WriterDialect extends PostgresDialect {
  readonly #session: Session
  readonly #state: WriterState

  constructor(session: Session, state: WriterState) {
    super({ pool: session as never })
    this.#session = session
    this.#state = state
  }

  override createAdapter(): WriterAdapter {
    const defer: Defer = (db, text, values, insertsInto) => {
      if (!this.#state.isWriter(db) || !this.#session.transaction) return false
      this.#session.transaction.defer(text, values, insertsInto)
      return true
    }
    return Object.assign(new PostgresAdapter(), { state: this.#state, defer })
  }
}

/**
 * Runs a group, whose transaction contains the number of the group. If the connection is lost during the commit, this number is
 * read on a new connection, and shows whether the commit succeeded.
 */
async function runGroup(
  session: Session,
  state: WriterState,
  db: Kysely<Database>,
  {
    number,
    leader,
    isReplica,
  }: { readonly number: number; readonly leader: string; readonly isReplica: boolean },
  run: (group: GroupCommit) => Promise<void>,
): Promise<void> {
  const fence = writeGroup(number, leader, session.lastGroup)
  const group = new PostgresGroup(session, state, db, fence, !isReplica)
  session.transaction = group
  state.beginGroup(db)
  try {
    await run(group)
    if (await group.commit()) session.committed(number)
    state.endGroup()
  } catch (error) {
    state.forget()
    if (group.isCommitting) {
      if (await session.wasCommitted(number)) return
      throw new GroupRolledBackError(error)
    }
    await group.abandon()
    throw error
  } finally {
    session.transaction = undefined
  }
}

/**
 * Every query of the sandbox has an index, and must use it:
 *
 * - The server keeps the plan of a prepared statement. While a table is nearly empty, this plan would read the whole table, and
 *   would continue to do so until the server collects statistics, which can take minutes.
 * - Each webhook leaves a dead entry in the index of waiting deliveries. An index scan marks such entries, so that the next one
 *   skips them. A bitmap scan reads all of them again each time, until the server removes them.
 *
 * What is switched off is still used if there is no other way. It then counts as expensive, which would start the compiler.
 */
const PLANNER_SETTINGS = 'set enable_seqscan = off; set enable_bitmapscan = off; set jit = off'

const MIN_VERSION = 14

async function requireServer(session: Session, { label, server }: PostgresAddress): Promise<void> {
  const read = async (name: string): Promise<string> =>
    String((await session.query(`select current_setting('${name}') as "value"`)).rows[0]!.value)
  const version = Number(await read('server_version_num'))
  const refuse = (why: string): never => {
    throw new DatabaseError(
      (option) => `Database ${label} cannot be opened: ${why}, or set ${option('db')} to another database.`,
    )
  }
  if (version < MIN_VERSION * 10_000) {
    refuse(
      `the server at ${server} is PostgreSQL ${await read('server_version')}, but the sandbox needs ${MIN_VERSION} or newer. Update the server`,
    )
  }
  const encoding = await read('server_encoding')
  if (encoding !== 'UTF8') {
    refuse(`its encoding is ${encoding}, but the sandbox needs UTF8. Create a database with encoding 'UTF8'`)
  }
}

/** The server is a standby, which replicates a primary server and accepts no other writes. */
class StandbyServerError extends Error {
  readonly code = STANDBY
}

/** Rejects a standby before any other statement, because some statements fail there with misleading errors. */
async function requirePrimary(session: Session): Promise<void> {
  const { rows } = await session.query('select pg_is_in_recovery() as "isStandby"')
  if (rows[0]!.isStandby === true) throw new StandbyServerError('The server is a standby.')
}

/** Rejects a schema that was dropped, or that is still being restored: `pg_dump` restores indexes after all rows. */
async function requireTables(session: Session, address: PostgresAddress): Promise<void> {
  const { rows } = await session.query(`select to_regclass('"${LEADER_INDEX}"') is not null as "isComplete"`)
  if (rows[0]!.isComplete !== true) throw new SchemaGoneError(address)
}

/** Creates a missing schema. Rejects a schema of another program or version. */
async function requireSchema(session: Session, { label, schema }: PostgresAddress): Promise<void> {
  await createNamespace(session, schema)
  const { rows } = await session.query(
    `select relname as "name" from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = $1 and relkind in ('r', 'p', 'v', 'm', 'f') order by relname`,
    [schema],
  )
  const names = rows.map(({ name }) => String(name))
  if (names.length === 0) return
  const foreign = findForeignTable(names)
  if (foreign === undefined) {
    const version = names.includes('schemaVersion') ? await session.query(READ_VERSION) : undefined
    if (version?.rows[0]?.version === postgresSchema.version) return
    throw new DatabaseError(
      (option) =>
        `Database ${label} cannot be opened: the schema ${schema} was written by another version of paylink-sandbox. Drop it, or use another schema in ${option('db')}, like ?schema=team-b.`,
    )
  }
  throw new DatabaseError(
    (option) =>
      `Database ${label} cannot be opened: the schema ${schema} contains ${foreign}, which is not a table of the sandbox. Name another schema in ${option('db')}, like ?schema=team-a.`,
  )
}

const UNIQUE_VIOLATION = '23505'

/** If two processes create the schema at the same time, PostgreSQL reports an error to one of them. */
async function createNamespace(session: Session, schema: string): Promise<void> {
  const { rows } = await session.query('select 1 from pg_namespace where nspname = $1', [schema])
  if (rows.length > 0) return
  await session.query(`create schema if not exists "${schema}"`).catch((error: unknown) => {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error
  })
}

/** Creates the tables of an empty schema. May be called only by the process that has the lock of the schema. */
async function createTablesIfEmpty(session: Session, { schema }: PostgresAddress): Promise<void> {
  const { rows } = await session.query(`select to_regclass('"schemaVersion"') is null as "isEmpty"`)
  if (rows[0]!.isEmpty === true) {
    const path = `set local search_path to "${schema}"`
    await session.query(['begin', path, ...postgresSchema.statements, 'commit'].join(';\n'))
  }
}
