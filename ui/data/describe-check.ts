import { describeEvent, joinParts } from '../../server/contract/format/describe-event.ts'
import { badStatus, plainStatus, type EventRow } from '../../server/contract/format/event-row.ts'
import { plural } from '../../server/contract/format/values.ts'
import type { EventView } from '../../server/contract/views.ts'

/** The webhooks of one check. */
export interface SentCheck {
  /** The `seq` of the first webhook. Its row stands for the whole check. */
  readonly first: number
  readonly count: number
  /** The number of webhooks that got no answer or a server error. */
  readonly failed: number
  readonly cases: ReadonlySet<string>
}

/** The row of a check, made from its first event. */
export const describeCheck = (first: EventView, { count, failed, cases }: SentCheck): EventRow => ({
  ...describeEvent(first),
  ...(failed === 0 ? plainStatus(`${count} sent`) : badStatus(`${failed} failed`)),
  rest: joinParts(`check with ${plural(cases.size, 'case')}`, failed > 0 && `${count} sent`),
  took: null,
})
