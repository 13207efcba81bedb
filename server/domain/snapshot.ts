import type { Instant } from './time.ts'

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
