/** The maximum size of a report, in events and in characters of their bodies. */
export const MAX_REPORT_EVENTS = 20_000
export const MAX_REPORT_BYTES = 32 * 1024 * 1024

interface EventSize {
  readonly seq: number
  /** Sizes are in characters. */
  readonly event: number
  readonly exchange: number
}

interface ReportRange {
  /** The `seq` of the first event in the report. `Infinity` if no event fits. */
  readonly events: number
  /** The `seq` of the first event whose bytes are included. `Infinity` if none fit. */
  readonly bytes: number
}

/** The newest events that fit into a report. `sizes` lists the newest event first. */
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
