import type { Severity } from '../domain/diagnostics/diagnostic.ts'
import type { EventOf, RecordedEvent } from '../domain/events/event.ts'
import type { LinkRef } from './link-ref.ts'
import { linkName } from './link-ref.ts'
import type { Request } from './request.ts'

export type FoundDiagnostic = RecordedEvent<EventOf<'diagnostic.found'>>

export interface DiagnosticFilter {
  /** Only diagnostics of at least this severity. All by default. */
  readonly severity?: Severity
  /** Only diagnostics with a larger `seq`. By default, the newest diagnostics. */
  readonly after?: number
  /** 100 by default, 1000 at most. */
  readonly limit?: number
}

export interface HarFilter {
  readonly link?: LinkRef
  /** Only calls and webhooks with a larger `seq`. */
  readonly after?: number
}

/** Diagnostics and exports, of one account or of the whole sandbox. */
export interface Records {
  /** What the sandbox noticed about your calls and the responses of your receiver. */
  diagnostics(filter?: DiagnosticFilter): Promise<readonly FoundDiagnostic[]>
  /** Returns calls and webhooks as the text of a HAR 1.2 file. Keys are masked. */
  exportHar(filter?: HarFilter): Promise<string>
  /**
   * Returns the run as the text of one HTML file. Keys are masked.
   *
   * @param about a line for the beginning of the report, such as the name of the test run. At most 500 characters.
   */
  exportReport(about?: string): Promise<string>
}

/** @internal */
export function createRecords(request: Request, account: string | undefined): Records {
  return {
    async diagnostics(filter = {}) {
      const query = { account, ...filter }
      return (await request('GET /diagnostics', { query })).diagnostics
    },
    exportHar: ({ link, after } = {}) =>
      request.text('GET /export.har', {
        query: { account, after, link: link === undefined ? undefined : linkName(link) },
      }),
    exportReport: (about) => request.text('GET /report', { query: { account, about } }),
  }
}
