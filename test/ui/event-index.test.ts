import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { createEventIndex } from '../../ui/data/event-index.ts'
import { about, attempted, captured, created, paid } from './event.ts'

const theirs = { accountId: 'theirs', linkId: 2002, payId: 2002 }

const held: EventView = {
  ...attempted(),
  type: 'delivery.held',
  deliveryId: 3,
  host: 'shop.test',
  hostScope: 'public',
}

test.each(['account.reset', 'account.deleted'] as const)(
  '%s removes only the events of its account from the index',
  (type) => {
    const eventIndex = createEventIndex()
    const decision: EventView = { ...about, type: 'dispute.closed', outcome: 'won' }
    const events = [
      created,
      paid,
      attempted(),
      captured,
      held,
      { ...about, type: 'dispute.opened' },
      decision,
    ]
    for (const event of events as EventView[]) {
      eventIndex.add(event)
      eventIndex.add({
        ...event,
        ...theirs,
        ...('deliveryId' in event ? { deliveryId: 20 } : {}),
      } as EventView)
    }

    eventIndex.add({ ...about, seq: 20, linkId: null, payId: null, type, name: 'Shop' })

    expect([...eventIndex.payments.keys()]).toEqual([2002])
    expect([
      eventIndex.eventsOfPayment(1001),
      eventIndex.eventsOfDelivery(1),
      eventIndex.capturesOfDelivery(1),
    ]).toEqual([[], [], []])
    expect([...eventIndex.held.keys()]).toEqual([20])
    expect(eventIndex.tunnels.get('flower-shop')).toMatchObject([theirs])
    expect(eventIndex.decisions).toMatchObject([theirs])

    eventIndex.add({ ...created, seq: 21 })
    expect(eventIndex.eventsOfPayment(1001)).toHaveLength(1)
  },
)
