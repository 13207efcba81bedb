import { describeEvent } from '../../server/contract/format/describe-event.ts'
import { plainStatus, type EventRow } from '../../server/contract/format/event-row.ts'
import { plural } from '../../server/contract/format/values.ts'
import type { EventView } from '../../server/contract/views.ts'

/** The webhooks of one check. */
export interface SentCheck {
  /** The `seq` of the first webhook, whose row represents the check. */
  readonly first: number
  readonly count: number
  readonly cases: ReadonlySet<string>
}

/** The row of a check, made from its first event. */
export const describeCheck = (first: EventView, { count, cases }: SentCheck): EventRow => ({
  ...describeEvent(first),
  ...plainStatus(`${count} sent`),
  rest: `check with ${plural(cases.size, 'case')}`,
  took: null,
})
