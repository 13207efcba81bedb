import type { EventView } from '../../server/contract/views.ts'
import { attemptsOf } from '../data/attempts.ts'
import { indexOf, type Entry } from '../data/log.ts'
import { log } from '../data/session.ts'

const MAX_CANDIDATES = 12

/**
 * The events to compare with an event, newest first. A webhook is compared with all attempts, first with those of the same
 * payment. Any other request is compared with requests of the same kind.
 */
export function candidatesFor(event: EventView, without: readonly number[]): readonly EventView[] {
  const { eventIndex, entries } = log.journal.value
  const candidates = new Set<EventView>()
  const add = (other: EventView) => {
    if (isAlike(event, other) && !without.includes(other.seq)) candidates.add(other)
    return candidates.size < MAX_CANDIDATES
  }
  const ofPayment =
    'deliveryId' in event && event.payId !== null ? eventIndex.eventsOfPayment(event.payId) : []
  if (ofPayment.toReversed().every(add)) {
    let index = entries.length - 1
    while (index >= 0 && add(entries[index]!.event)) index--
  }
  return [...candidates]
}

/** The event for a comparison, unless the user chooses another one. */
interface Counterpart {
  readonly event: EventView
  /** Like `attempt 1`. */
  readonly name: string
}

/**
 * For an attempt: the previous attempt. For a first attempt: the original of a replay, the next attempt, or the newest replay.
 * For a call, or if there is none of these: the previous event of the same kind, or else the next one.
 */
export function counterpartOf(event: EventView): Counterpart | undefined {
  if (event.type === 'delivery.attempted') {
    const attempts = attemptsOf(event.deliveryId)
    const before = attempts.findLast(({ seq }) => seq < event.seq)
    if (before) return { event: before, name: `attempt ${before.attempt}` }
    const original = event.replayOf === null ? undefined : attemptsOf(event.replayOf).at(-1)
    if (original) return { event: original, name: 'the original' }
    const next = attempts.find(({ seq }) => seq > event.seq)
    if (next) return { event: next, name: `attempt ${next.attempt}` }
    const replay = log.journal.value.eventIndex.replaysOfDelivery(event.deliveryId).flatMap(attemptsOf).at(-1)
    if (replay) return { event: replay, name: 'its replay' }
  } else if (!('operation' in event)) return undefined
  const { entries } = log.journal.value
  const place = indexOf(entries, event.seq)
  const isNear = ({ event: other }: Entry) =>
    isAlike(event, other) && (!('target' in event) || ('target' in other && other.target === event.target))
  const what = 'operation' in event ? 'call' : 'webhook'
  for (let index = place - 1; index >= 0; index--) {
    if (isNear(entries[index]!)) return { event: entries[index]!.event, name: `the ${what} before` }
  }
  for (let index = place + 1; index < entries.length; index++) {
    if (isNear(entries[index]!)) return { event: entries[index]!.event, name: `the next ${what}` }
  }
  return undefined
}

function isAlike(one: EventView, other: EventView): boolean {
  if ('deliveryId' in one) return other.type === 'delivery.attempted'
  return 'operation' in one
    ? 'operation' in other && other.operation === one.operation
    : other.type === one.type
}
