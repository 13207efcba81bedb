import { once } from 'node:events'
import { WebSocket } from 'ws'

/** Short enough that a worker is soon back, and now and then too short. */
const WAIT_MS = 200

/**
 * Looks on as an inspector and a test do: a stream that is left after its first message, and a wait, each opened anew.
 *
 * @param {import('./caller.js').Caller} caller
 * @param {string} url
 */
export async function openStreamAndWaits(caller, url) {
  const stream = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream`)
  // Of a sandbox that was killed nothing comes.
  stream.on('error', () => {})
  const first = once(stream, 'message').catch(() => {})
  const closed = new Promise((resolve) => stream.once('close', resolve))
  await Promise.race([first, closed])
  stream.terminate()
  await closed
  const wish = { match: { type: 'sandbox.reset' }, timeoutMs: WAIT_MS }
  await caller.control('POST', '/events/wait', wish, [408])
  await caller.control('POST', '/events/wait', { match: { type: 'link.created' } }, [408])
}
