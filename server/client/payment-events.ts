import type { EventView } from '../contract/views.ts'
import type { LinkRef } from './link-ref.ts'
import type { Payments } from './payments.ts'

const TYPES = [
  'link.paid',
  'link.cancelled',
  'delivery.queued',
  'delivery.held',
  'delivery.allowed',
  'delivery.attempted',
  'tunnel.answered',
] as const

/** Reading more events would take too long. */
const MAX_EVENTS = 20_000

const PAGE = 1_000

/**
 * The newest events that decide whether payments have reached the app, oldest first. They concern all payments or one link.
 *
 * @internal
 */
export async function readPaymentEvents(
  sandbox: Pick<Payments, 'events'>,
  link?: LinkRef,
): Promise<EventView[]> {
  let events: EventView[] = []
  let page: readonly EventView[]
  do {
    const before = events[0] && { before: events[0].seq }
    page = await sandbox.events({ type: TYPES, limit: PAGE, ...before, ...(link !== undefined && { link }) })
    events = [...page, ...events]
  } while (page.length === PAGE && events.length < MAX_EVENTS)
  return events
}
