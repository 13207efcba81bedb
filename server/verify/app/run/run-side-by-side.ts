/** How many cases run at the same time. A case spends most of its time waiting. */
const AT_ONCE = 8

/** Runs a function for each item, several at a time. If one run fails, waits for the others that have begun. */
export async function runSideBySide<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const work = async (): Promise<void> => {
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next)
    } catch (error) {
      waiting.length = 0
      throw error
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
}

/** Returns a function that runs tasks, at most `most` at the same time. */
export function createLimit(maxRunning: number) {
  let underway = 0
  const waiting: (() => void)[] = []
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (underway >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve))
    else underway += 1
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) underway -= 1
      else next()
    }
  }
}
