import { type History, historyName, shorterHistories } from './history.ts'
import { runSideBySide } from '../../app/run/run-side-by-side.ts'

interface Run<Result> {
  /** Plays one history. Called once for each history. */
  play(history: History): Promise<Result>
  isFailed(result: Result): boolean
  /** Called once for each history. `sameAs` is the shortest history that fails in the same way. */
  report(result: Result, sameAs: string | null): void
  /** Whether to stop after the first failure. */
  readonly endsEarly: boolean
}

const MAX_ATTEMPTS = 60

/**
 * Plays histories, several at the same time. A history that fails is shortened for as long as it still fails. The shortest one
 * gets its own result, and the results of the longer histories refer to it. No history is played twice.
 */
export async function runHistories<Result>(
  histories: readonly History[],
  { play, isFailed, report, endsEarly }: Run<Result>,
): Promise<void> {
  const resultsByHistory = new Map<string, Result>()
  const reported = new Set<string>()

  async function resultOf(history: History): Promise<Result> {
    const name = historyName(history)
    const result = resultsByHistory.get(name) ?? (await play(history))
    resultsByHistory.set(name, result)
    return result
  }

  async function shorten(failed: History): Promise<History> {
    let shortest = failed
    let attempts = 0
    for (;;) {
      const before = shortest
      for (const shorter of shorterHistories(shortest)) {
        if (attempts === MAX_ATTEMPTS) return shortest
        attempts += 1
        if (!isFailed(await resultOf(shorter))) continue
        shortest = shorter
        break
      }
      if (shortest === before) return shortest
    }
  }

  function reportOnce(result: Result, history: History, sameAs: string | null): void {
    const name = historyName(history)
    if (reported.has(name)) return
    reported.add(name)
    report(result, sameAs)
  }

  const failed: History[] = []
  await runSideBySide(histories, async (history) => {
    if (endsEarly && failed.length > 0) return
    const result = await resultOf(history)
    if (isFailed(result)) failed.push(history)
    else reportOnce(result, history, null)
  })
  for (const history of endsEarly ? failed.slice(0, 1) : failed) {
    const shortest = await shorten(history)
    reportOnce(await resultOf(shortest), shortest, null)
    reportOnce(await resultOf(history), history, historyName(shortest))
  }
}
