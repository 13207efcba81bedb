import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_MS = 10

/** Checks items one after another until `check` finds something. Other work runs after each time slice. */
export async function findInTimeSlices<Item, Found>(
  items: Iterable<Item>,
  check: (item: Item) => Found | null,
): Promise<Found | null> {
  let since = performance.now()
  for (const item of items) {
    const found = check(item)
    if (found !== null) return found
    if (performance.now() - since < SLICE_MS) continue
    await nextTurn()
    since = performance.now()
  }
  return null
}
