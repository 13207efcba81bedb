import { truncate } from '../../domain/text/truncate.ts'
import type { Difference } from '../../domain/events/differences.ts'
import type { Unsettled } from '../../store/repositories/deliveries.ts'
import type { Match } from './validate-match.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import type { EventView } from '../../contract/views.ts'
import type { WaitTimeout, NearMiss } from './wait-for-events.ts'

interface Wish {
  readonly match: Match
  readonly count: number
  readonly account?: string | undefined
  readonly timeoutMs: number
}

/** Says why a wait was in vain, so that a mistake in what was asked for can be read. */
export function explainTimeout(
  { match, count, account, timeoutMs }: Wish,
  { matched, looked, nearest }: WaitTimeout<EventView>,
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

function nearestTold({ type }: Match, nearest: readonly NearMiss<EventView>[]): string[] {
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
  if (!names.includes(last)) return `it has no ${key}${didYouMean(last, names).replace(/\?$/, '')}`
  return `${key} is ${short(found)}, not ${short(wanted)}`
}

const short = (value: unknown): string => truncate(JSON.stringify(value), 100)

const tell = ({ seq, type }: EventView): string => `event ${seq}, ${type}`

const MAX_TOLD = 5

/** Names the first of so many events. */
export const listEvents = (events: readonly EventView[], count: number): string =>
  enumerate(events.map(tell), count)

/** Names the first of the deliveries that something is still to come of. */
export function describeUnsettled({ count, oldest }: Unsettled, timeoutMs: number): string {
  const what = count === 1 ? 'a delivery is' : `${count} deliveries are`
  const which = oldest.map(({ id, target, state }) => {
    const why = state === 'underway' ? 'is underway to' : 'waits for'
    return `delivery ${id} ${why} ${target}`
  })
  return `${what} not settled after ${timeoutMs} ms: ${enumerate(which, count)}.`
}

const enumerate = (names: readonly string[], count: number): string =>
  [...names.slice(0, MAX_TOLD), ...(count > MAX_TOLD ? [`${count - MAX_TOLD} more`] : [])].join('; ')
