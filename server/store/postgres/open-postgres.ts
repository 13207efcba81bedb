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
  GroupRolledBack,
  type Engine,
  type Follower,
  type GroupCommit,
  type ReplicaPlace,
} from '../engine.ts'
import type { Database } from '../schema.ts'
import { WriterState, type Defer, type WriterAdapter } from '../writer-state.ts'
import { Snapshots } from '../snapshots/snapshots.ts'
import { parseAddress, type PostgresAddress } from './address.ts'
import { explainStart } from './explain-start.ts'
import { PostgresGroup } from './group.ts'
import {
  FOLLOWERS,
  limitSilence,
  lockAgain,
  lockSchema,
  readEngineName,
  noticeLostClient,
  waitForLock,
  writeGroup,
  writeLeader,
} from './leader.ts'
import { loadPg } from './pg-module.ts'
import { postgresSchema } from './postgres-schema.ts'
import { createPostgresStorage } from './postgres-storage.ts'
import { Session } from './session.ts'
import { createWriteTrouble } from './write-trouble.ts'

/**
 * Opens a sandbox on PostgreSQL: one schema of a database. Creates the schema if it is missing. One of several processes waits
 * until it leads.
 */
export async function openPostgres(url: string, place?: ReplicaPlace): Promise<Engine> {
  const address = parseAddress(url)
  const pg = await loadPg(address.label)
  const state = new WriterState()
  /** Identifies this process in the schema. After a reconnect it shows whether another process has used the schema. */
  const leader = randomUUID()
  let isOpen = false
  const session = new Session(pg, address, state, async (connected) => {
    await connected.query(`set search_path to "${address.schema}"`)
    await (place ? limitSilence(connected) : noticeLostClient(connected))
    if (isOpen) return lockAgain(connected, address, leader)
    await requireServer(connected, address)
    await requireOwnConnection(connected, address)
    await requireSchema(connected, address)
    await (place ? waitForLock(connected, address, place) : lockSchema(connected, address))
    // Another process may have created the tables meanwhile.
    await requireSchema(connected, address)
    return 0
  })
  const writing = createWriteTrouble(session, address)
  session.onFailure = writing.note
  let groups = 0
  try {
    await session.open()
    const db = new Kysely<Database>({
      dialect: new WriterDialect(session, state),
      plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
    })
    await createTablesIfEmpty(session)
    const sessionKey = await writeLeader(session, {
      id: leader,
      url: place?.url ?? null,
      options: place?.options ?? null,
      version: place?.version ?? null,
    })
    // From now on, a new connection counts only if no other process has led meanwhile.
    isOpen = true
    const snapshots = new Snapshots(await createPostgresStorage(db))
    return {
      name: await readEngineName(session),
      db,
      snapshots,
      sessionKey,
      ...(place && { leadership: { ...session.watch(place.onLost), followers: () => listFollowers(db) } }),
      group: (run) =>
        db
          .connection()
          .execute((connection) => runGroup(session, state, connection, { number: ++groups, leader }, run)),
      // PostgreSQL reuses the space by itself.
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

class WriterDialect extends PostgresDialect {
  readonly #session: Session
  readonly #state: WriterState

  constructor(session: Session, state: WriterState) {
    super({ pool: session as never })
    this.#session = session
    this.#state = state
  }

  override createAdapter(): WriterAdapter {
    const defer: Defer = (db, text, values) => {
      if (!this.#state.isWriter(db) || !this.#session.transaction) return false
      this.#session.transaction.defer(text, values)
      return true
    }
    return Object.assign(new PostgresAdapter(), { state: this.#state, defer })
  }
}

/**
 * Runs a group. The transaction contains the number of the group. If the connection is lost during the commit, the number shows over
 * a new connection whether the commit succeeded.
 */
async function runGroup(
  session: Session,
  state: WriterState,
  db: Kysely<Database>,
  { number, leader }: { readonly number: number; readonly leader: string },
  run: (group: GroupCommit) => Promise<void>,
): Promise<void> {
  const group = new PostgresGroup(session, state, db, writeGroup(number, leader))
  session.transaction = group
  state.beginGroup(db)
  try {
    await run(group)
    await group.commit()
    state.endGroup()
  } catch (error) {
    state.forget()
    if (group.isCommitting) {
      if (await session.wasCommitted(number)) return
      throw new GroupRolledBack(error)
    }
    // If this fails, the first error says more.
    if (group.hasBegun && session.isConnected) await session.query('rollback').catch(() => undefined)
    throw error
  } finally {
    session.transaction = undefined
  }
}

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
  const { rows } = await session.query('select pg_is_in_recovery() as "isStandby"')
  if (rows[0]!.isStandby === true)
    refuse(`the server at ${server} is a standby. Connect to the primary server`)
}

/**
 * Rejects a pooler in transaction mode. It can run each transaction on a different connection to the server, so a lock of a
 * session protects nothing. Two open connections that reach the same process of the server show such a pooler.
 */
async function requireOwnConnection(session: Session, address: PostgresAddress): Promise<void> {
  const own = await backendOf(session.query)
  if (own === session.processId || (await backendOf(session.queryAlone)) !== own) return
  throw new DatabaseError(
    (option) =>
      `Database ${address.label} cannot be opened: ${address.server} is a pooler in transaction mode, which breaks the lock of the sandbox. Set ${option('db')} to the address of the server itself, or of a pooler in session mode.`,
  )
}

const backendOf = async (query: Session['queryAlone']): Promise<number> =>
  Number((await query('select pg_backend_pid() as "id"')).rows[0]!.id)

/** Creates the schema if it is missing. Rejects one of another program or version. */
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
        `Database ${label} cannot be opened: the schema ${schema} was written by another version of paylink-sandbox. Drop it, or name another schema in ${option('db')}, like ?schema=team-b.`,
    )
  }
  throw new DatabaseError(
    (option) =>
      `Database ${label} cannot be opened: the schema ${schema} contains ${foreign}, which is not a table of the sandbox. Name another schema in ${option('db')}, like ?schema=team-a.`,
  )
}

const UNIQUE_VIOLATION = '23505'

/** Two processes that start together can both create it. PostgreSQL then reports an error to one of them. */
async function createNamespace(session: Session, schema: string): Promise<void> {
  const { rows } = await session.query('select 1 from pg_namespace where nspname = $1', [schema])
  if (rows.length > 0) return
  await session.query(`create schema if not exists "${schema}"`).catch((error: unknown) => {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error
  })
}

/** Creates the tables of an empty schema. Only the process that has the lock of the schema may do this. */
async function createTablesIfEmpty(session: Session): Promise<void> {
  const { rows } = await session.query(`select to_regclass('"schemaVersion"') is null as "isEmpty"`)
  if (rows[0]!.isEmpty === true) {
    await session.query(['begin', ...postgresSchema.statements, 'commit'].join(';\n'))
  }
}
