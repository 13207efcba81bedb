import type { Difference } from '../../domain/events/differences.ts'
import { findClosestMatch } from '../../domain/text/closest-match.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { UnsettledDeliveries } from '../../store/repositories/deliveries.ts'
import type { EventView } from '../../contract/views.ts'
import type { ExpectNoneResult } from './expect-none.ts'
import type { Match } from './validate-match.ts'
import type { WaitTimeout } from './wait-for-events.ts'

interface WaitRequest {
  readonly match: Match
  readonly count: number
  readonly account?: string | undefined
  readonly timeoutMs: number
}

/**
 * Explains why a wait timed out, so that a mistake in the request is easy to find. `reason` is the same text without the events
 * that match best.
 */
export function explainTimeout(
  { match, count, account, timeoutMs }: WaitRequest,
  { matched, looked, isCut, nearest: [first] }: WaitTimeout<EventView>,
): { readonly reason: string; readonly detail: string } {
  const what = count === 1 ? 'No event' : `${matched} of ${count} events`
  const where = account === undefined ? '' : ' of the account'
  const others = isCut
    ? ' The rest were not checked in time. Pass a longer timeoutMs, or start later with after.'
    : ''
  const checked = `${what} matched ${JSON.stringify(match)} within ${timeoutMs} ms. ${looked} events${where} were checked.${others}`
  if (first === undefined) return { reason: checked, detail: checked }
  if (typeof match.type === 'string' && first.event.type !== match.type) {
    const reason = `${checked} None of them is ${match.type}.`
    return { reason, detail: `${reason} The closest events are listed with their differences.` }
  }
  const differences = first.differences.map((difference) => explainDifference(first.event, difference))
  return {
    reason: checked,
    detail: `${checked} The closest is ${nameEvent(first.event)}: ${differences.join('; ')}.`,
  }
}

function explainDifference(event: object, { key, wanted, found }: Difference): string {
  const path = key.split('.')
  const last = path.pop()!
  const parent: unknown = path.reduce<unknown>((value, step) => Reflect.get(Object(value), step), event)
  const names = Object.keys(Object(parent))
  if (!names.includes(last)) {
    const closest = findClosestMatch(last, names)
    return `it has no ${key}${closest === undefined ? '' : `, did you mean ${closest}`}`
  }
  return `${key} is ${shortJson(found)}, not ${shortJson(wanted)}`
}

const shortJson = (value: unknown): string => truncate(JSON.stringify(value), 100)

const nameEvent = ({ seq, type }: EventView): string => `event ${seq}, ${type}`

/** Lists the first events that match, although none should. */
export function explainUnwanted(
  match: Match,
  { count, first, isCut }: NonNullable<ExpectNoneResult<EventView>['matched']>,
  looked: number,
): string {
  const what = count === 1 ? 'An event matches' : `${count} events match`
  const where = isCut ? ` among the first ${looked}` : ''
  const which = listFirst(first.map(nameEvent), count)
  return `${what} ${JSON.stringify(match)}${where}, but none should: ${which}.`
}

/** Lists the first deliveries that have not settled. */
export function explainUnsettled({ count, oldest }: UnsettledDeliveries, timeoutMs: number): string {
  const what = count === 1 ? 'a delivery has' : `${count} deliveries have`
  const which = oldest.map(({ id, target, state }) => {
    const doing = state === 'underway' ? 'is underway to' : 'waits for'
    return `delivery ${id} ${doing} ${target}`
  })
  return `${what} not settled after ${timeoutMs} ms: ${listFirst(which, count)}.`
}

const MAX_LISTED = 5

const listFirst = (names: readonly string[], count: number): string =>
  [...names.slice(0, MAX_LISTED), ...(count > MAX_LISTED ? [`${count - MAX_LISTED} more`] : [])].join('; ')
