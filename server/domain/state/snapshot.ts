import type { Instant } from '../time/time.ts'

/** A copy of everything, kept under a name. */
export interface Snapshot {
  readonly name: string
  /** By the sandbox's clock then. `null` where it cannot be read. */
  readonly takenAt: Instant | null
  /** In bytes. */
  readonly size: number
  /** Why it cannot be restored. */
  readonly problem: string | null
}

/** What may name a snapshot. It names a file too, on systems that do not tell `A` from `a`. */
export const SNAPSHOT_NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Of the state that the last reset ended. Only a reset takes it. */
export const BEFORE_RESET_SNAPSHOT = 'before-reset'
