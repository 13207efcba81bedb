import type { AccountView, EventView } from './views.ts'
import type { Exchange } from '../domain/http/exchange.ts'

/** The first line of a report's data. */
export interface ReportHeader {
  readonly version: string
  readonly madeAt: string
  readonly epoch: string
  /** The newest `seq` in it. */
  readonly head: number
  readonly accounts: readonly AccountView[]
  /** Whom the links of the one account involve besides. */
  readonly involved: readonly Pick<AccountView, 'id' | 'name'>[]
  /** The account it is limited to. */
  readonly account: string | null
  /** How many older events had no room. */
  readonly leftOut: number
  /** The oldest event whose bytes had room. */
  readonly bytesFrom: number | null
}

/** Every further line of it. */
export type ReportedEvent = EventView & { readonly exchange: Exchange | null }
