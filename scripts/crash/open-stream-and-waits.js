import { once } from 'node:events'
import { WebSocket } from 'ws'

/** Short, so that the caller continues soon. Sometimes the event comes later. */
const WAIT_MS = 200

/**
 * Opens a stream and two waits, as an inspector and a test do. Closes the stream after its first message.
 *
 * @param {import('./caller.js').Caller} caller
 * @param {string} url
 */
export async function openStreamAndWaits(caller, url) {
  const stream = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream`)
  // A sandbox that was killed sends nothing.
  stream.on('error', () => {})
  const first = once(stream, 'message').catch(() => {})
  const closed = new Promise((resolve) => stream.once('close', resolve))
  await Promise.race([first, closed])
  stream.terminate()
  await closed
  const wait = { match: { type: 'sandbox.reset' }, timeoutMs: WAIT_MS }
  await caller.control('POST', '/events/wait', wait, [408])
  await caller.control('POST', '/events/wait', { match: { type: 'link.created' } }, [408])
}
