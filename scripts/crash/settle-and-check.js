import { setTimeout as pause } from 'node:timers/promises'
import { createCaller } from './caller.js'
import { collectErrors } from './collect-errors.js'
import { followStream } from './follow-stream.js'
import { inTime } from './in-time.js'
import { settle } from './settle.js'

const POLL_INTERVAL_MS = 50

/**
 * Checks the final state, after all webhooks have been sent and the stream has reached the end of the journal. Then stops
 * the sandbox.
 *
 * @param {ReturnType<typeof import('../spawn-sandbox.js').spawnSandbox> & { url: string }} sandbox
 * @param {import('./expected-state.js').ExpectedState} expected
 * @param {() => void} check
 */
export async function settleAndCheck(sandbox, expected, check) {
  const { problems } = expected
  const caller = createCaller(
    sandbox.url,
    () => {},
    (what) => void problems.push(what),
  )
  const stream = followStream(sandbox.url, 0, expected)
  try {
    await inTime(settle(caller), 'The sandbox does not settle at the end.')
    await inTime(streamComplete(caller, expected), 'The stream does not reach the end of the journal.')
    check()
  } finally {
    stream.terminate()
    await caller.close()
    await inTime(sandbox.end('SIGTERM'), 'The sandbox does not stop.').finally(() =>
      collectErrors(sandbox, problems),
    )
  }
}

/**
 * @param {import('./caller.js').Caller} caller
 * @param {import('./expected-state.js').ExpectedState} expected
 */
async function streamComplete(caller, expected) {
  for (;;) {
    const newest = await caller.control('GET', '/events?limit=1')
    if (!newest || newest.body.events[0].seq <= expected.stream.last) return
    await pause(POLL_INTERVAL_MS)
  }
}
