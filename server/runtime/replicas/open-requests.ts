import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** The requests without a response yet, so that a replica can stop without losing any. */
export function createOpenRequests() {
  const unfinished = new Set<ServerResponse>()
  const handledHere = new WeakSet<ServerResponse>()
  let lastRequestAt = -Infinity

  return {
    add(response: ServerResponse, isHealthCheck: boolean): void {
      if (!isHealthCheck) lastRequestAt = performance.now()
      unfinished.add(response)
      response.once('close', () => unfinished.delete(response))
    },
    /** Marks a request that the app of this process handles. */
    markHandledHere(response: ServerResponse): void {
      handledHere.add(response)
    },
    /** Resolves when all current requests have a response, or after a time. */
    async drain(timeoutMs: number): Promise<void> {
      const late = pause(timeoutMs, undefined, { ref: false })
      const answered = [...unfinished].map(
        (response) => new Promise<void>((resolve) => void response.once('close', () => resolve())),
      )
      await Promise.race([Promise.all(answered), late])
    },
    /** Resolves when no request has arrived for `ms`, but no later than after `maxMs`. Ignores health checks. */
    async untilQuiet(ms: number, maxMs: number): Promise<void> {
      const beganAt = performance.now()
      for (;;) {
        const now = performance.now()
        const quietAt = Math.min(Math.max(lastRequestAt, beganAt) + ms, beganAt + maxMs)
        if (now >= quietAt) return
        await pause(quietAt - now)
      }
    },
    /** Closes the connections of requests that have no response yet. */
    abort(): void {
      for (const response of unfinished) if (handledHere.has(response)) response.destroy()
    },
  }
}
