import type { AccountView, EventView } from './views.ts'
import type { AssumptionName, OpenPoint } from '../domain/behaviors/open-points.ts'
import type { Exchange } from '../domain/http/exchange.ts'

/** The first line of a report's data. */
export interface ReportHeader {
  readonly version: string
  readonly madeAt: string
  readonly epoch: string
  /** The newest `seq` in the report. */
  readonly head: number
  readonly accounts: readonly AccountView[]
  /** Other accounts that the links of the reported account involve. */
  readonly involved: readonly Pick<AccountView, 'id' | 'name'>[]
  /** The account to which the report is limited. */
  readonly account: string | null
  /** How many older events were left out to limit the size. */
  readonly leftOut: number
  /** The `seq` of the oldest event that includes its exchange. */
  readonly bytesFrom: number | null
  /** The texts of all open points. The page of a report does not contain them. */
  readonly assumptions: Readonly<Record<AssumptionName, OpenPoint>>
}

/** Each further line of a report's data. */
export type ReportedEvent = EventView & { readonly exchange: Exchange | null }
