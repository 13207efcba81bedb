import { setImmediate as otherWork } from 'node:timers/promises'

/** How long one piece of work may block the process, approximately. */
export const TURN_MS = 4

/**
 * For work in many small steps. Await the returned function between the steps: it lets other work run whenever a turn is over.
 */
export function createTurns(): () => Promise<void> {
  let beganAt = performance.now()
  return async () => {
    if (performance.now() - beganAt < TURN_MS) return
    await otherWork()
    beganAt = performance.now()
  }
}
