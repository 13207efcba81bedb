import type { Kysely } from 'kysely'
import { reasonOf } from '../domain/text/reason-of.ts'
import type { Trouble } from '../platform/system/file-trouble.ts'
import type { Database } from './schema.ts'
import type { Snapshots } from './snapshots/snapshots.ts'

/** The database of a sandbox. */
export interface Engine {
  /** The program with its version, like `PostgreSQL 15.4`. */
  readonly name: string
  readonly db: Kysely<Database>
  readonly snapshots: Snapshots
  /**
   * Runs several units of work in one transaction, which is committed at the end, or rolled back if `run` rejects. The caller
   * runs one group after another. Rejects with `GroupRolledBack` if the units of work must be run again.
   */
  group(run: (group: GroupCommit) => Promise<void>): Promise<void>
  /** Set if several processes share the database. */
  readonly leadership?: Leadership
  /**
   * Calls `listener` when the newest commits are lost, because a standby has taken over or somebody has restored a backup. A new epoch
   * has begun by then. Missing if a database cannot lose commits while it is open.
   */
  onRewind?(listener: (rewind: Rewind) => void): void
  /** Derives the sessions of the inspector, so that a login outlives this process. */
  readonly sessionKey?: string
  /** Frees the space of deleted rows. */
  compact(): Promise<void>
  /** Why the database cannot be written. `undefined` if it can. */
  trouble(): Promise<Trouble | undefined>
  /** The free space of the disk with the database. Missing if the database is elsewhere. */
  freeBytes?(): number
  close(): Promise<void>
}

/** The state to which a database went back. */
export interface Rewind {
  /** The newest event that is left. */
  readonly head: number
  /** The epoch of that event. */
  readonly epoch: string | undefined
}

/** The only process that uses a database, of several that share it. */
export interface Leader {
  readonly id: string
  /** The address at which the other processes reach it, or `null` if it accepts no others. */
  readonly url: string | null
  /** Its options as text, which other processes compare with their own. `null` if it accepts no others. */
  readonly options: string | null
  /** The version of its package, or `null` if it accepts no others. */
  readonly version: string | null
}

/** What a process needs while it waits to become the leader. */
export interface ReplicaPlace {
  /** The address at which the others reach this process. */
  readonly url: string
  /** A text with its options, which other processes compare with their own. */
  readonly options: string
  readonly version: string
  /** Whether this process was a replica before. If so, it must not create missing tables. */
  readonly isTakeover: boolean
  /** Why this process cannot follow this leader. */
  readonly objectionTo: (leader: Leader) => Error | undefined
  /** Called again and again while this process waits, with the leader and the name of the database. */
  readonly onWait: (leader: Leader | undefined, database: string) => void
  /** Called once another process leads. This process can no longer read or write. */
  readonly onLost: () => void
  readonly signal: AbortSignal
}

export interface Leadership {
  /** Whether it is certain that no other process leads at this moment. `false` if only the server knows. */
  isCertain(): boolean
  /** Asks the server. Rejects if this process does not lead. */
  confirm(): Promise<void>
  /** Why the server cannot be asked. `undefined` if it can. */
  trouble(): Trouble | undefined
  /** The processes that wait to become the leader. */
  readonly followers: () => Promise<readonly Follower[]>
}

export interface Follower {
  readonly url: string
  /** The version of its program. */
  readonly version: string
}

/**
 * A group was rolled back: a statement failed that may belong to any of its units of work, or the connection was lost before the
 * commit. Run each unit of work once more, alone.
 */
export class GroupRolledBack extends Error {
  override readonly name = 'GroupRolledBack'

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause })
  }
}

/** A transaction with several units of work. Each can be rolled back alone. */
export interface GroupCommit {
  readonly db: Kysely<Database>
  /** Begins a unit of work. */
  begin(): Promise<void>
  /** Rolls back what the current unit of work has written. The unit of work can continue. */
  rollback(): Promise<void>
  /** Ends the current unit of work. What it has written is committed with the group. */
  end(): Promise<void>
}
