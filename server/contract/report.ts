import type { AccountView, EventView } from './views.ts'
import type { AssumptionName, OpenPoint } from '../domain/behaviors/open-points.ts'
import type { Exchange } from '../domain/http/exchange.ts'

/** The longest text that `ReportHeader.about` can have. */
export const MAX_ABOUT_LENGTH = 500

/** The first line of a report's data. */
export interface ReportHeader {
  readonly version: string
  readonly madeAt: string
  readonly epoch: string
  /** The newest `seq` in the report. */
  readonly head: number
  readonly accounts: readonly AccountView[]
  /** Other accounts that are involved in the links of the report, such as recipients. */
  readonly involved: readonly Pick<AccountView, 'id' | 'name'>[]
  /** The account that the report is limited to. `null` for all accounts. */
  readonly account: string | null
  /** The number of older events that were left out to limit the size. */
  readonly leftOut: number
  /** What the report is about, such as the command of the run and its exit code. `null` if nobody said. */
  readonly about: string | null
  /** The `seq` of the oldest event whose bytes are included. The bytes of older events are left out. */
  readonly bytesFrom: number | null
  /** The texts of the open points. The report's page itself does not contain them. */
  readonly assumptions: Readonly<Record<AssumptionName, OpenPoint>>
}

/** Each further line of a report's data. */
export type ReportedEvent = EventView & { readonly exchange: Exchange | null }
