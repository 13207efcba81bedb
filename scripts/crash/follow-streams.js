import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createStreamLog } from './expected-state.js'

const RECONNECT_MS = 50
const POLL_INTERVAL_MS = 50

/**
 * Follows the journal over several WebSockets, which connect again where they ended. All must receive the same events.
 *
 * @param {readonly number[]} ports the port of each WebSocket
 * @param {import('./expected-state.js').ExpectedState} expected
 */
export function followStreams(ports, expected) {
  const logs = ports.map(() => createStreamLog(0))
  let isClosed = false
  /** @type {Set<WebSocket>} */
  const open = new Set()

  /** @type {(index: number) => void} */
  function follow(index) {
    const log = logs[index]
    if (isClosed || !log) return
    const stream = new WebSocket(`ws://127.0.0.1:${ports[index]}/_sandbox/v1/stream?after=${log.last}`)
    open.add(stream)
    stream.on('error', () => {})
    stream.once('close', () => {
      open.delete(stream)
      void pause(RECONNECT_MS).then(() => follow(index))
    })
    stream.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.type !== 'events') return
      for (const { seq, type } of message.events) {
        if (seq <= log.last) expected.problems.push(`Stream ${index} sent event ${seq} after ${log.last}.`)
        log.types.set(seq, type)
        log.last = seq
      }
    })
  }
  for (const index of ports.keys()) follow(index)

  return {
    /**
     * Waits until each stream has sent everything, and compares them. Later events are not part of what is expected.
     *
     * @param {import('./caller.js').Caller} caller
     */
    async complete(caller) {
      for (;;) {
        const newest = await caller.control('GET', '/events?limit=1')
        const last = newest?.body.events[0].seq
        if (newest && logs.every((log) => log.last >= last)) break
        await pause(POLL_INTERVAL_MS)
      }
      const [first, ...others] = logs
      if (first) expected.stream = { ...first, types: new Map(first.types) }
      for (const [index, { types }] of others.entries()) {
        for (const [seq, type] of types) {
          const other = first?.types.get(seq)
          if (other !== undefined && other !== type)
            expected.problems.push(`Stream ${index + 1} sent event ${seq} as ${type}, stream 0 as ${other}.`)
        }
      }
    },
    close() {
      isClosed = true
      for (const stream of open) stream.terminate()
    },
  }
}
