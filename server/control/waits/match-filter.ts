import { isShownAsStored } from '../../contract/views.ts'
import { eventTypes } from '../../domain/events/event-fields.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import type { EventFilter } from '../../store/journal/events.ts'
import type { Match } from './validate-match.ts'

/**
 * The part of a match that the database can compare, so that few other events are read. The caller still
 * compares each event with the whole match.
 */
export function filterFor(match: Match, account: string | undefined): EventFilter {
  const { linkId, deliveryId } = match
  const type = eventTypes.find((known) => known === match.type)
  const contains = Object.entries(match).flatMap(([key, value]) =>
    isScalar(value) && isComparable(key, value) && isShownAsStored(key, type)
      ? [JSON.stringify({ [key]: value }).slice(1, -1)]
      : [],
  )
  return omitUndefined({
    accountId: account,
    types: type === undefined ? undefined : [type],
    linkId: typeof linkId === 'number' ? linkId : undefined,
    deliveryId: typeof deliveryId === 'number' ? deliveryId : undefined,
    contains,
  })
}

/** Not in the JSON of an event, or compared by columns. */
const COLUMNS: ReadonlySet<string> = new Set(['seq', 'at', 'type', 'linkId', 'deliveryId'])

/** The text of `status` matches in any case. */
const isComparable = (key: string, value: unknown): boolean =>
  !COLUMNS.has(key) && !(key === 'status' && typeof value === 'string')

const isScalar = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
