import type { Instant } from '../time/berlin-time.ts'

/** A named copy of the whole state. */
export interface Snapshot {
  readonly name: string
  /** When the snapshot was taken, according to the sandbox's clock. `null` if the file is unreadable. */
  readonly takenAt: Instant | null
  /** The number of links in the snapshot. `null` if it cannot be restored. */
  readonly links: number | null
  /** In bytes. */
  readonly size: number
  /** Why the snapshot cannot be restored. `null` if it can be restored. */
  readonly problem: string | null
}

/** The allowed names. A name is also the name of a file, and some systems ignore case in file names. */
export const SNAPSHOT_NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The extension of a snapshot's file, which contains lines of JSON compressed with gzip. */
export const SNAPSHOT_EXTENSION = '.ndjson.gz'

/** The name of the snapshot with the state before the last reset. Only a reset writes it. */
export const BEFORE_RESET_SNAPSHOT = 'before-reset'

/** The name of the snapshot with the state before the sample story. */
export const SAMPLE_SNAPSHOT = 'before-sample-story'
