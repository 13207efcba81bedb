import type { EventView } from '../../server/contract/views.ts'
import type { EventRow } from '../../server/contract/format/event-row.ts'

/** `failed`: the failure is final. `waiting`: the webhook is held, or will be tried again. */
export type EventOutcome = 'failed' | 'waiting' | 'other'

export function outcomeOf(event: EventView, row: EventRow): EventOutcome {
  if (row.tone === 'err') return 'failed'
  const isWaiting =
    event.type === 'delivery.held' || (event.type === 'delivery.attempted' && row.tone === 'warn')
  return isWaiting ? 'waiting' : 'other'
}
