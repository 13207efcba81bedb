import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_MS = 10

/** Looks at one item after another until something is found, and lets everybody else run every few milliseconds. */
export async function findInTimeSlices<Item, Found>(
  items: Iterable<Item>,
  look: (item: Item) => Found | null,
): Promise<Found | null> {
  let since = performance.now()
  for (const item of items) {
    const found = look(item)
    if (found !== null) return found
    if (performance.now() - since < SLICE_MS) continue
    await nextTurn()
    since = performance.now()
  }
  return null
}
