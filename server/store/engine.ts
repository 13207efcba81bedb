import type { Kysely } from 'kysely'
import { reasonOf } from '../domain/text/reason-of.ts'
import type { Trouble } from '../platform/system/file-trouble.ts'
import type { Database } from './schema.ts'
import type { Snapshots } from './snapshots/snapshots.ts'

/** The database of a sandbox. */
export interface Engine {
  /** The name and version of the engine, like `PostgreSQL 15.4`. */
  readonly name: string
  readonly db: Kysely<Database>
  /** Whether each commit waits for the disk. */
  readonly commitsWaitForDisk: boolean
  readonly snapshots: Snapshots
  /**
   * Runs several units of work in one transaction, which is committed at the end, or rolled back if `run` rejects. The caller
   * runs one group after another. Rejects with `GroupRolledBackError` if the units of work must run again.
   */
  group(run: (group: GroupCommit) => Promise<void>): Promise<void>
  /** Set if several processes share the database. */
  readonly leadership?: Leadership
  /**
   * Calls `listener` if the newest commits are lost, because a standby has taken over, or someone has restored a backup. A new
   * epoch has then already begun. Missing if the database cannot lose commits while it is open.
   */
  onRewind?(listener: (rewind: Rewind) => void): void
  /** The key of the inspector's sessions. It is stored, so that a login outlives this process. */
  readonly sessionKey?: string
  /** Frees the space of deleted rows. */
  compact(): Promise<void>
  /** Why the database cannot be written. `undefined` if it can be written. */
  trouble(): Promise<Trouble | undefined>
  /** The free space of the disk that contains the database. Missing if the database is elsewhere. */
  freeBytes?(): number
  close(): Promise<void>
}

/** The state that a database went back to. */
export interface Rewind {
  /** The `seq` of the newest remaining event. */
  readonly head: number
  /** The epoch of that event. */
  readonly epoch: string | undefined
}

/** The process that uses a database that several processes share. */
export interface Leader {
  readonly id: string
  /** The address at which other processes reach it. `null` if the process has no replicas. */
  readonly url: string | null
  /** Its options as text, to compare them with the options of other processes. `null` if the process has no replicas. */
  readonly options: string | null
  /** The version of its package. `null` if the process has no replicas. */
  readonly version: string | null
}

/** What a process needs to wait until it becomes the leader. */
export interface ReplicaPlace {
  /** The address at which other processes reach this one. */
  readonly url: string
  /** The options of this process as text, to compare them with the leader's. */
  readonly options: string
  readonly version: string
  /** Whether this process takes over from another one. If so, it must not create missing tables. */
  readonly isTakeover: boolean
  /** Why this process cannot follow this leader. */
  readonly objectionTo: (leader: Leader) => Error | undefined
  /** Called repeatedly while this process waits, with the leader and the name of the database. */
  readonly onWait: (leader: Leader | undefined, database: string) => void
  /** Called when another process leads. This process can then no longer read or write. */
  readonly onLost: () => void
  readonly signal: AbortSignal
}

export interface Leadership {
  /** Whether it is certain that no other process leads. `false` if only the server knows. */
  isCertain(): boolean
  /** Asks the server whether this process leads. Rejects if it does not. */
  confirm(): Promise<void>
  /** Why the server cannot be asked. `undefined` if it can be asked. */
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
 * A group was rolled back, because the connection was lost before the commit, or because a statement failed that may belong to
 * any unit of work of the group. Each unit of work must run again, alone.
 */
export class GroupRolledBackError extends Error {
  override readonly name = 'GroupRolledBackError'

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
