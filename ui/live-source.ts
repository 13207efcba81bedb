import type { DeliveryView, EventView } from '../server/contract/views.ts'
import { intendedExchange } from '../server/domain/webhooks/delivery.ts'
import type { Exchange } from '../server/domain/http/exchange.ts'
import { api, RequestError } from './api.ts'
import type { EventWithExchange, DataSource } from './data-source.ts'

/** Asks the sandbox. */
export const liveSource: DataSource = {
  clock: async () => (await api.clock.$get()).json(),

  async accounts() {
    const answer = await api.accounts.$get()
    return (await answer.json()).accounts
  },

  async event(seq, signal) {
    try {
      const answer = await api.events[':seq'].$get({ param: { seq: String(seq) } }, { init: { signal } })
      const { exchange, pinned, ...rest } = (await answer.json()) as EventView &
        Omit<EventWithExchange, 'event'>
      const event = rest as EventView
      return { event, exchange: exchange ?? (await intended(event, signal)), pinned }
    } catch (error) {
      if (error instanceof RequestError && error.status === 404) return undefined
      throw error
    }
  },
}

/** Of a webhook that was not sent in this event. */
async function intended(event: EventView, signal: AbortSignal): Promise<Exchange | null> {
  if (!('deliveryId' in event) || event.type === 'delivery.attempted') return null
  const param = { id: String(event.deliveryId) }
  const answer = await api.deliveries[':id'].$get({ param }, { init: { signal } })
  return intendedExchange((await answer.json()) as DeliveryView)
}
