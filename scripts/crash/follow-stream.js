import { WebSocket } from 'ws'
import { createStreamLog } from './expected-state.js'

/**
 * Follows the journal over a WebSocket, and expects in the journal what it has sent.
 *
 * @param {string} url
 * @param {number} after
 * @param {import('./expected-state.js').ExpectedState} expected
 */
export function followStream(url, after, expected) {
  const log = createStreamLog(after)
  expected.stream = log
  const stream = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream?after=${after}`)
  stream.on('error', () => {})
  stream.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type !== 'events') return
    for (const { seq, type } of message.events) {
      if (seq <= log.last) expected.problems.push(`The stream sent event ${seq} after ${log.last}.`)
      log.types.set(seq, type)
      log.last = seq
    }
  })
  return stream
}
