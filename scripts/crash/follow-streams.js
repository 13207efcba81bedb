import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createStreamComparison } from './compare-streams.js'

const RECONNECT_MS = 50
const POLL_INTERVAL_MS = 50

/**
 * Follows the journal over several WebSockets, which reconnect and continue after the last event. All must receive the same
 * events.
 *
 * @param {readonly string[]} urls where each WebSocket connects
 * @param {import('./expected-state.js').ExpectedState} expected
 */
export function followStreams(urls, expected) {
  const streams = createStreamComparison(urls.length, expected.problems)
  let isClosed = false
  /** @type {Set<WebSocket>} */
  const open = new Set()

  /** @type {(url: string, index: number) => void} */
  function follow(url, index) {
    if (isClosed) return
    const address = `${url.replace('http', 'ws')}/_sandbox/v1/stream?after=${streams.last(index)}`
    const socket = new WebSocket(address)
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      void pause(RECONNECT_MS).then(() => follow(url, index))
    })
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.type === 'events') for (const event of message.events) streams.add(index, event)
    })
  }
  for (const [index, url] of urls.entries()) follow(url, index)

  return {
    /**
     * Waits until each stream has reached the end of the journal. Then expects in the journal what they have sent.
     *
     * @param {import('./caller.js').Caller} caller
     */
    async complete(caller) {
      for (;;) {
        const newest = await caller.control('GET', '/events?limit=1')
        if (newest && streams.behind(newest.body.events[0].seq).length === 0) break
        await pause(POLL_INTERVAL_MS)
      }
      expected.stream = streams.takeLog()
    },
    close() {
      isClosed = true
      for (const socket of open) socket.terminate()
    },
  }
}
