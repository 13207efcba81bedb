import {
  eventsOf,
  type OrderEvent,
  type History,
  type HistoryEvent,
  isPossible,
  historyName,
  isCancel,
  pays,
} from './history.ts'

interface Abilities {
  readonly canRefund: boolean
  readonly canOrderAgain: boolean
}

const MAX_EVENTS = 9
const MAX_ORDERS = 3

/** How likely each event is, relative to the others. */
const WEIGHTS: Readonly<Partial<Record<HistoryEvent, number>>> = {
  success: 4,
  cancel: 4,
  redirect: 2,
  'cancel-redirect': 2,
  duplicate: 1,
  both: 2,
  'forged-cancel': 1,
  'forged-success': 1,
  'order-again': 4,
  'older-success': 2,
  'older-cancel': 2,
  refund: 2,
}

/** Creates different random histories of up to three orders. The same seed gives the same histories. */
export function randomHistories(count: number, seed: number, abilities: Abilities): readonly History[] {
  const random = createRandom(seed)
  const histories = new Map<string, History>()
  // Short histories are created more than once, so there are more tries than histories.
  for (let tries = 0; histories.size < count && tries < count * 10; tries += 1) {
    const history = draw(random, abilities)
    histories.set(historyName(history), history)
  }
  return [...histories.values()]
}

function draw(random: () => number, { canRefund, canOrderAgain }: Abilities): History {
  const orders = 1 + Math.floor(random() * MAX_ORDERS)
  const length = orders + Math.floor(random() * (MAX_EVENTS - orders + 1))
  const urn = (Object.entries(WEIGHTS) as [HistoryEvent, number][])
    .filter(([event]) => (canRefund || event !== 'refund') && (canOrderAgain || event !== 'order-again'))
    .flatMap(([event, weight]) => Array.from({ length: weight }, () => event))
  let history: History = []
  while (history.length < length) {
    // Each order must have an event, so that the numbers of the orders start at 1 and have no gaps.
    const order = history.length < orders ? history.length + 1 : 1 + Math.floor(random() * orders)
    const next: OrderEvent = { order, event: urn[Math.floor(random() * urn.length)]! }
    if (isPossible([...history, next]) && isClear(eventsOf(history, order), next.event)) {
      history = [...history, next]
    }
  }
  return history
}

/**
 * Whether it is clear what a correct app does. After a refund, another payment could reopen the order. A payment after a cancel
 * may be refunded or reviewed, so nobody else refunds it.
 */
function isClear(before: readonly HistoryEvent[], event: HistoryEvent): boolean {
  if (event !== 'refund') return true
  return before.filter(pays).length === 1 && !before.slice(0, before.findIndex(pays)).some(isCancel)
}

/** The generator mulberry32: numbers from 0 to below 1 that depend only on the seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
