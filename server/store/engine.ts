import type { Kysely } from 'kysely'
import type { Trouble } from '../system/file-trouble.ts'
import type { Database } from './schema.ts'
import type { Snapshots } from './snapshots/snapshots.ts'

/** The database of a sandbox. */
export interface Engine {
  /** The program with its version, like `PostgreSQL 15.4`. */
  readonly name: string
  readonly db: Kysely<Database>
  readonly snapshots: Snapshots
  /**
   * Runs several units of work in one transaction, which is committed at the end. It is rolled back if `run` rejects. The
   * caller runs one group after another.
   */
  group(run: (group: Group) => Promise<void>): Promise<void>
  /** Frees the space of deleted rows. */
  compact(): Promise<void>
  /** Why the database cannot be written. `undefined` if it can. */
  trouble(): Trouble | undefined
  close(): Promise<void>
}

/** A transaction with several units of work. Each can be rolled back alone. */
export interface Group {
  readonly db: Kysely<Database>
  /** Begins a unit of work. */
  begin(): Promise<void>
  /** Rolls back what the current unit of work has written. The unit of work can continue. */
  rollback(): Promise<void>
  /** Ends the current unit of work. What it has written is committed with the group. */
  end(): Promise<void>
}
