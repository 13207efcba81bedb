import { isShownAsStored } from '../../contract/views.ts'
import { eventTypes } from '../../domain/events/event-fields.ts'
import { isRecord } from '../../domain/text/is-object.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import type { EventQuery } from '../../store/journal/events.ts'
import type { Match } from './validate-match.ts'

/**
 * The part of a match that the database can check, so that few events are read that do not match. The caller still compares each
 * event with the whole match.
 */
export function filterFor(match: Match, account: string | undefined): EventQuery {
  const { linkId, deliveryId } = match
  const type = eventTypes.find((known) => known === match.type)
  const contains = Object.entries(match).flatMap(([key, value]) =>
    isComparable(key, value) && isShownAsStored(key, type) ? textsOf(key, value) : [],
  )
  return omitUndefined({
    accountId: account,
    types: type === undefined ? undefined : [type],
    linkId: typeof linkId === 'number' ? linkId : undefined,
    deliveryId: typeof deliveryId === 'number' ? deliveryId : undefined,
    contains,
  })
}

/** Keys that have columns of their own, or that the JSON of an event does not contain. */
const COLUMNS: ReadonlySet<string> = new Set(['seq', 'at', 'type', 'linkId', 'deliveryId'])

/** `status` is compared without regard to case, which the database cannot do. */
const isComparable = (key: string, value: unknown): boolean =>
  !COLUMNS.has(key) && !(key === 'status' && typeof value === 'string')

/** Texts that the JSON of every matching event contains. */
function textsOf(key: string, value: unknown): string[] {
  if (isScalar(value) || (Array.isArray(value) && value.every(isScalar)))
    return [JSON.stringify({ [key]: value }).slice(1, -1)]
  // Objects are compared key by key, because an event may have more keys than the match.
  const objects = [value].flat().filter(isRecord)
  return objects.flatMap((one) => Object.entries(one).flatMap(([name, part]) => textsOf(name, part)))
}

const isScalar = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
