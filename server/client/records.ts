import type { Severity } from '../domain/diagnostics/diagnostic.ts'
import type { EventOf, RecordedEvent } from '../domain/events/event.ts'
import type { LinkRef } from './link-ref.ts'
import { linkName } from './link-ref.ts'
import type { Request } from './request.ts'

export type FoundDiagnostic = RecordedEvent<EventOf<'diagnostic.found'>>

export interface DiagnosticFilter {
  /** Those that matter as much, or more. All by default. */
  readonly severity?: Severity
  /** Only those that follow. By default the newest. */
  readonly after?: number
  /** 100 by default, 1000 at most. */
  readonly limit?: number
}

export interface HarFilter {
  readonly link?: LinkRef
  readonly after?: number
}

/** What was seen of one account, or of the whole sandbox, to read or to keep. */
export interface Records {
  /** What was found about what you sent and answered. */
  diagnostics(filter?: DiagnosticFilter): Promise<readonly FoundDiagnostic[]>
  /** Has an event stay in the journal, however many follow. */
  pin(seq: number): Promise<void>
  unpin(seq: number): Promise<void>
  /** Calls and webhooks as the text of a HAR 1.2 file. */
  exportHar(filter?: HarFilter): Promise<string>
  /** The run as one HTML file. */
  exportReport(): Promise<string>
}

export function createRecords(request: Request, account: string | undefined): Records {
  return {
    async diagnostics(filter = {}) {
      const query = { account, ...filter }
      return (await request<{ diagnostics: FoundDiagnostic[] }>('GET', '/diagnostics', { query })).diagnostics
    },
    pin: (seq) => request('PUT', `/events/${seq}/pin`),
    unpin: (seq) => request('DELETE', `/events/${seq}/pin`),
    exportHar: ({ link, after } = {}) =>
      request.text('/export.har', {
        account,
        after,
        link: link === undefined ? undefined : linkName(link),
      }),
    exportReport: () => request.text('/report', { account }),
  }
}
