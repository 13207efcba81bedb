/**
 * Handles the items, at most `most` at the same time. After a failure, starts no further items, waits for those that are running,
 * and rejects.
 */
export async function runInParallel<Item, Result>(
  items: readonly Item[],
  maxRunning: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  let hasFailed = false
  async function next(): Promise<void> {
    for (const [index, item] of waiting) {
      if (hasFailed) return
      try {
        results[index] = await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(maxRunning, items.length) }, next))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return results
}
