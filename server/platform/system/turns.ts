import { setImmediate as otherWork } from 'node:timers/promises'

/** About how long work may block the process. */
export const TURN_MS = 4

/**
 * For work in many small steps. The returned function is awaited after each step, and lets other work run when a turn is over.
 */
export function createTurns(): () => Promise<void> {
  let beganAt = performance.now()
  return async () => {
    if (performance.now() - beganAt < TURN_MS) return
    await otherWork()
    beganAt = performance.now()
  }
}

/** Maps a long list, and lets other work run in between. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const letOthersRun = createTurns()
  const results: Result[] = []
  for (const item of items) {
    results.push(map(item))
    await letOthersRun()
  }
  return results
}

const ITEMS_PER_SORT = 2_000

/** Sorts a long list, and lets other work run in between. Equal items keep their sequence. */
export async function sortInTurns<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  const letOthersRun = createTurns()
  let parts: Item[][] = []
  for (let first = 0; first < items.length; first += ITEMS_PER_SORT) {
    parts.push(items.slice(first, first + ITEMS_PER_SORT).toSorted(compare))
    await letOthersRun()
  }
  while (parts.length > 1) {
    const merged: Item[][] = []
    for (let index = 0; index < parts.length; index += 2) {
      merged.push(await merge(parts[index]!, parts[index + 1] ?? []))
    }
    parts = merged
  }
  return parts[0] ?? []

  async function merge(one: readonly Item[], other: readonly Item[]): Promise<Item[]> {
    const result: Item[] = []
    for (let left = 0, right = 0; left < one.length || right < other.length;) {
      const isLeft = right === other.length || (left < one.length && compare(one[left]!, other[right]!) <= 0)
      result.push(isLeft ? one[left++]! : other[right++]!)
      if (result.length % ITEMS_PER_SORT === 0) await letOthersRun()
    }
    return result
  }
}
