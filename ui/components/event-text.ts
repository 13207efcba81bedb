import { joinParts, marksOf } from '../../server/contract/format/describe-event.ts'
import { formatAmount } from '../../server/contract/format/values.ts'
import type { EventRow } from '../../server/contract/format/event-row.ts'
import type { LinkView } from '../../server/contract/views.ts'
import type { Entry } from '../data/log.ts'
import { outcomeOf } from './outcome.ts'

interface EventText extends Pick<EventRow, 'lead' | 'rest'> {
  /**
   * Set if `lead` is the reason of a failure: `err` for a final failure, `warn` if the webhook waits or will be tried again.
   */
  readonly reason?: 'err' | 'warn'
}

/** The text of a row of the timeline. For a successful call, it shows the payment. */
export function eventText({ event, row }: Entry, link: LinkView | undefined): EventText {
  const { lead, rest } = row
  if (event.type === 'api.request' && event.code === 1 && link) {
    return { lead, rest: joinParts(formatAmount(link.amount), marksOf(event)) }
  }
  const reason = REASONS[outcomeOf(event, row)]
  return { lead, rest, ...(reason && { reason }) }
}

const REASONS = { failed: 'err', waiting: 'warn', other: undefined } as const
