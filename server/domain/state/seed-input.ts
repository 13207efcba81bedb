import type { BehaviorChoices } from '../behaviors/behavior.ts'
import type { SeedAccount, SeedClock, SeedInvoice, SeedLink, SeedRefund } from './seed.ts'

type WithOptional<Shape, Key extends keyof Shape> = Omit<Shape, Key> & {
  readonly [Name in Key]?: Shape[Name] | undefined
}

/** A payment link. Only the account and the amount are required. */
interface SeedLinkInput extends WithOptional<Omit<SeedLink, 'refund'>, 'recipients' | 'status'> {
  readonly refund?: WithOptional<SeedRefund, 'state'> | undefined
}

/** A seed as users write it, with amounts in euros. Missing values get defaults. */
export interface SeedInput {
  /** The address of the JSON Schema, for editors. */
  readonly $schema?: string | undefined
  readonly accounts?: readonly SeedAccount[] | undefined
  readonly links?: readonly SeedLinkInput[] | undefined
  readonly invoices?: readonly SeedInvoice[] | undefined
  /** The behaviors for accounts that do not set their own. */
  readonly behaviors?: BehaviorChoices | undefined
  readonly clock?: WithOptional<SeedClock, 'mode'> | undefined
}
