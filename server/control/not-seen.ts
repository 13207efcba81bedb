import type { Delivery } from '../domain/delivery.ts'
import { excerpt } from '../domain/excerpt.ts'
import type { Difference } from '../domain/match.ts'
import type { Match } from './accept-match.ts'
import { hint } from './input.ts'
import type { ShownEvent } from './present.ts'
import type { Missed, NearMiss } from './wait-for-events.ts'

interface Wish {
  readonly match: Match
  readonly count: number
  readonly account?: string | undefined
  readonly timeoutMs: number
}

/** Says why a wait was in vain, so that a mistake in what was asked for can be read. */
export function explainMissed(
  { match, count, account, timeoutMs }: Wish,
  { matched, looked, nearest }: Missed<ShownEvent>,
) {
  const what = count === 1 ? 'No event' : `${matched} of ${count} events`
  const where = account === undefined ? '' : ' of the account'
  return {
    detail: [
      `${what} matched ${JSON.stringify(match)} within ${timeoutMs} ms, of ${looked}${where} that were looked at.`,
      ...nearestTold(match, nearest),
    ].join(' '),
    matched,
    count,
    looked,
    nearest,
  }
}

function nearestTold({ type }: Match, nearest: readonly NearMiss<ShownEvent>[]): string[] {
  const [first] = nearest
  if (!first) return []
  if (typeof type === 'string' && first.event.type !== type) {
    return [`None of them is ${type}. The nearest are listed with what differed.`]
  }
  const differed = first.differences.map((difference) => tellDifference(first.event, difference)).join('; ')
  return [`The nearest is ${tell(first.event)}: ${differed}.`]
}

function tellDifference(event: object, { key, wanted, found }: Difference): string {
  const path = key.split('.')
  const last = path.pop()!
  const part: unknown = path.reduce<unknown>((value, step) => Reflect.get(Object(value), step), event)
  const names = Object.keys(Object(part))
  if (!names.includes(last)) return `it has no ${key}${hint(last, names).replace(/\?$/, '')}`
  return `${key} is ${short(found)}, not ${short(wanted)}`
}

const short = (value: unknown): string => excerpt(JSON.stringify(value), 100)

const tell = ({ seq, type }: ShownEvent): string => `event ${seq}, ${type}`

const MOST_TOLD = 5

/** Names the first of some events. */
export const tellWhich = (events: readonly ShownEvent[]): string => enumerate(events.map(tell))

/** Names the first of the deliveries that something is still to come of. */
export function tellUnsettled(deliveries: readonly Delivery[], timeoutMs: number): string {
  const what = deliveries.length === 1 ? 'a delivery is' : `${deliveries.length} deliveries are`
  const which = deliveries.map(({ id, target, state }) => {
    const why = state === 'underway' ? 'is underway to' : 'waits for'
    return `delivery ${id} ${why} ${target}`
  })
  return `${what} not settled after ${timeoutMs} ms: ${enumerate(which)}.`
}

const enumerate = (names: readonly string[]): string =>
  [
    ...names.slice(0, MOST_TOLD),
    ...(names.length > MOST_TOLD ? [`${names.length - MOST_TOLD} more`] : []),
  ].join('; ')
