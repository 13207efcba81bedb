/** What fits into a report. */
export const MAX_REPORT_EVENTS = 20_000
const MAX_REPORT_BYTES = 32 * 1024 * 1024

interface EventSize {
  readonly seq: number
  /** In characters, as is `exchange`. */
  readonly event: number
  readonly exchange: number
}

export interface ReportRange {
  /** The oldest event in the report, `Infinity` where there is none. */
  readonly events: number
  /** The oldest event with its bytes, or `Infinity`. */
  readonly bytes: number
}

/** How far back a report reaches, from the weights of the newest events, newest first. */
export function computeReportRange(sizes: readonly EventSize[], maxBytes = MAX_REPORT_BYTES): ReportRange {
  let range: ReportRange = { events: Infinity, bytes: Infinity }
  let sum = 0
  let hasBytes = true
  for (const { seq, event, exchange } of sizes) {
    hasBytes &&= sum + event + exchange <= maxBytes
    sum += hasBytes ? event + exchange : event
    if (sum > maxBytes) break
    range = { events: seq, bytes: hasBytes ? seq : range.bytes }
  }
  return range
}
