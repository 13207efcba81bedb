import { sql } from 'kysely'
import type { EventType } from '../domain/events/event.ts'
import type { Link } from '../domain/links/link.ts'
import type { DeliveryState } from '../domain/webhooks/delivery-values.ts'

// Some indexes leave out the rows that nearly every call or webhook writes, so that these writes need not update the index. A
// query uses such an index only if it repeats the condition of the index. The conditions are comparisons. For `in` with more than
// two values, SQLite would build a temporary table for each inserted row.

const COMMON_TYPES: readonly EventType[] = [
  'api.request',
  'link.created',
  'delivery.queued',
  'delivery.attempted',
]
const COMMON_STATUS: Link['status'] = 'unused'
const RARE_STATES: readonly DeliveryState[] = ['held', 'failed', 'stored']
const WAITING_STATES: readonly DeliveryState[] = ['planned', 'pending', 'underway']

const sqlIsOneOf = (states: readonly DeliveryState[]): string =>
  `(${states.map((state) => `"state" = '${state}'`).join(' or ')})`

export const isRareType = (type: EventType): boolean => !COMMON_TYPES.includes(type)
export const isRareStatus = (status: Link['status']): boolean => status !== COMMON_STATUS
export const isRareState = (state: DeliveryState): boolean => RARE_STATES.includes(state)

/** The conditions of the indexes, as text for defining them. */
export const rareRows = {
  types: `(${COMMON_TYPES.map((type) => `"type" <> '${type}'`).join(' and ')})`,
  status: `"status" <> '${COMMON_STATUS}'`,
  states: sqlIsOneOf(RARE_STATES),
  waiting: sqlIsOneOf(WAITING_STATES),
}

/** The same conditions, for queries. */
export const HAS_RARE_TYPE = sql.raw<boolean>(rareRows.types)
export const HAS_RARE_STATUS = sql.raw<boolean>(rareRows.status)
export const HAS_RARE_STATE = sql.raw<boolean>(rareRows.states)
export const IS_WAITING = sql.raw<boolean>(rareRows.waiting)
