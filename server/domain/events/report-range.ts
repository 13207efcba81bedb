/** What fits into a report. */
export const REPORT_EVENTS = 20_000
const REPORT_BYTES = 32 * 1024 * 1024

interface Weight {
  readonly seq: number
  /** In characters, as is `exchange`. */
  readonly event: number
  readonly exchange: number
}

export interface Reach {
  /** The oldest event in the report, `Infinity` where there is none. */
  readonly events: number
  /** The oldest event with its bytes, or `Infinity`. */
  readonly bytes: number
}

/** How far back a report reaches, from the weights of the newest events, newest first. */
export function reachOf(weights: readonly Weight[], most = REPORT_BYTES): Reach {
  let reach: Reach = { events: Infinity, bytes: Infinity }
  let sum = 0
  let hasBytes = true
  for (const { seq, event, exchange } of weights) {
    hasBytes &&= sum + event + exchange <= most
    sum += hasBytes ? event + exchange : event
    if (sum > most) break
    reach = { events: seq, bytes: hasBytes ? seq : reach.bytes }
  }
  return reach
}
