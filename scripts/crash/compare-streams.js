import { isDeepStrictEqual } from 'node:util'
import { createStreamLog } from './expected-state.js'

/**
 * Compares what several streams send: each event once, in order, without a gap, and the same to all.
 *
 * @param {number} count
 * @param {string[]} problems
 */
export function createStreamComparison(count, problems) {
  const lasts = Array.from({ length: count }, () => 0)
  /** The first copy of each event. @type {Map<number, { stream: number, event: object }>} */
  const sent = new Map()
  let log = createStreamLog(0)

  return {
    /** @param {number} stream */
    last: (stream) => lasts[stream] ?? 0,
    /**
     * @param {number} stream
     * @param {{ seq: number, type: string }} event
     */
    add(stream, event) {
      const { seq, type } = event
      const last = lasts[stream] ?? 0
      if (seq <= last) {
        problems.push(`Stream ${stream} sent event ${seq} after ${last}.`)
        return
      }
      if (last > 0 && seq > last + 1)
        problems.push(`Stream ${stream} skipped the events between ${last} and ${seq}.`)
      lasts[stream] = seq
      const first = sent.get(seq)
      if (!first) sent.set(seq, { stream, event })
      // The order of the keys depends on whether the event was read from the database.
      else if (!isDeepStrictEqual(first.event, event))
        problems.push(
          `Stream ${stream} sent event ${seq} as ${JSON.stringify(event)}, stream ${first.stream} as ${JSON.stringify(first.event)}.`,
        )
      if (!log.types.has(seq)) log.types.set(seq, type)
    },
    /** The streams that have not reached an event. @param {number} seq */
    behind: (seq) => [...lasts.keys()].filter((stream) => (lasts[stream] ?? 0) < seq),
    /** What the streams have sent since the last call. All streams must have sent the same. */
    takeLog() {
      const taken = log
      taken.last = Math.max(...lasts)
      log = createStreamLog(taken.last)
      sent.clear()
      return taken
    },
  }
}
