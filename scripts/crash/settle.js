import { setTimeout as pause } from 'node:timers/promises'

const RETRIES = 3
const TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 50

/**
 * Waits until every webhook is delivered or has failed, and the listener has received everything. Moves the clock past the
 * last retry.
 *
 * @param {import('./caller.js').Caller} caller
 */
export async function settle(caller) {
  for (let round = 0; round < RETRIES; round++) {
    await caller.control('POST', '/settle', { timeoutMs: TIMEOUT_MS })
    await caller.control('POST', '/clock/advance', { hours: 1 })
  }
  await caller.control('POST', '/settle', { timeoutMs: TIMEOUT_MS })
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await pause(POLL_INTERVAL_MS)) {
    const answer = await caller.control('GET', '/tunnels')
    const tunnels = /** @type {{ listeners: { waiting: number }[] }[]} */ (answer?.body.tunnels)
    if (tunnels.flatMap(({ listeners }) => listeners).every(({ waiting }) => waiting === 0)) return
  }
}
