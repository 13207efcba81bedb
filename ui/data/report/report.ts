import type { ReportedEvent, ReportHeader } from '../../../server/contract/report.ts'
import { createResource } from '../resource.ts'

interface Report {
  readonly header: ReportHeader
  /** By `seq`, oldest first. */
  readonly events: ReadonlyMap<number, ReportedEvent>
}

/** The data in the file: lines of JSON, first the header, compressed with gzip and encoded as base64. */
export const report = /* @__PURE__ */ createResource(read)

async function read(): Promise<Report> {
  const bytes = Uint8Array.from(atob(document.getElementById('data')!.textContent), (byte) =>
    byte.charCodeAt(0),
  )
  const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  const [first, ...rest] = (await new Response(unzipped).text()).trimEnd().split('\n')
  const events = rest.map((line) => JSON.parse(line) as ReportedEvent)
  return {
    header: JSON.parse(first!) as ReportHeader,
    events: new Map(events.map((event) => [event.seq, event])),
  }
}
