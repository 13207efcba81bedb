import type { BehaviorChoices } from '../behaviors/behavior.ts'
import type { SeedAccount, SeedClock, SeedInvoice, SeedLink, SeedRefund } from './seed.ts'

type WithOptional<Shape, Key extends keyof Shape> = Omit<Shape, Key> & {
  readonly [Name in Key]?: Shape[Name] | undefined
}

/** A payment link. Only the account and the amount are needed. */
export interface SeedLinkInput extends WithOptional<Omit<SeedLink, 'refund'>, 'recipients' | 'status'> {
  readonly refund?: WithOptional<SeedRefund, 'state'> | undefined
}

/** A seed as people write it, with amounts in euros. What is left out follows from the rest. */
export interface SeedInput {
  /** Where the JSON Schema is, for an editor. */
  readonly $schema?: string | undefined
  readonly accounts?: readonly SeedAccount[] | undefined
  readonly links?: readonly SeedLinkInput[] | undefined
  readonly invoices?: readonly SeedInvoice[] | undefined
  /** What the API reference leaves open, for every account that has no choice of its own. */
  readonly behaviors?: BehaviorChoices | undefined
  readonly clock?: WithOptional<SeedClock, 'mode'> | undefined
}
