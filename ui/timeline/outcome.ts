import type { EventView } from '../../server/contract/views.ts'
import type { EventRow } from '../../server/format/event-row.ts'

/** `failed`: for good. `waiting`: held, or tried again. */
export type Outcome = 'failed' | 'waiting' | 'other'

export function outcomeOf(event: EventView, row: EventRow): Outcome {
  if (row.tone === 'err') return 'failed'
  const isWaiting =
    event.type === 'delivery.held' || (event.type === 'delivery.attempted' && row.tone === 'warn')
  return isWaiting ? 'waiting' : 'other'
}
