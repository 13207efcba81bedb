import { gunzipSync } from 'node:zlib'
import type { ReportedEvent, ReportHeader } from '../../server/contract/report.ts'

/** The contents of a report file. */
export function readReport(html: string) {
  const [data = ''] = /(?<=id="data">)[^<]+/.exec(html) ?? []
  const [head, ...events] = gunzipSync(Buffer.from(data, 'base64'))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  return { head: head as ReportHeader, events: events as ReportedEvent[] }
}
