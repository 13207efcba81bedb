import { sql, type Kysely } from 'kysely'
import type { Severity } from '../../domain/diagnostics/diagnostic.ts'
import type { EventOf, RecordedEvent } from '../../domain/events/event.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { listInSlices } from '../in-slices.ts'
import { HAS_RARE_TYPE } from '../rare-rows.ts'
import type { Database } from '../schema.ts'
import { sliceOf } from './events.ts'

interface DiagnosticFilter {
  readonly severities: readonly Severity[]
  readonly accountId?: string
  /** Only diagnostics after this `seq`, oldest first. By default, the newest diagnostics. */
  readonly after?: number
}

type DiagnosticEvent = RecordedEvent<EventOf<'diagnostic.found'>>

/** The diagnostics in the journal, oldest first. */
export async function list(
  db: Kysely<Database>,
  { severities, accountId, after }: DiagnosticFilter,
  limit: number,
): Promise<DiagnosticEvent[]> {
  let query = db
    .selectFrom('event')
    .select(['seq', 'at', 'data'])
    .where('type', '=', 'diagnostic.found')
    .where(HAS_RARE_TYPE)
    .where(({ or }) => or(severities.map(hasSeverity)))
    .orderBy('seq', after === undefined ? 'desc' : 'asc')
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  const rows = await listInSlices(
    db,
    async () => ({ ...(await sliceOf(db, omitUndefined({ after }))), newestFirst: after === undefined }),
    limit,
    ({ first, last }, most) => query.where('seq', '>=', first).where('seq', '<=', last).limit(most).execute(),
  )
  const diagnosticEvents = rows.map(
    ({ seq, at, data }) => ({ ...JSON.parse(data), seq, at }) as DiagnosticEvent,
  )
  return after === undefined ? diagnosticEvents.toReversed() : diagnosticEvents
}

/** Quotes inside JSON strings are escaped, so the text `"severity":` is always the key. */
const hasSeverity = (severity: Severity) =>
  sql<boolean>`instr("data", ${JSON.stringify({ severity }).slice(1, -1)}) > 0`
