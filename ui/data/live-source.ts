import type { DeliveryView, EventView } from '../../server/contract/views.ts'
import type { Exchange } from '../../server/domain/http/exchange.ts'
import { intendedExchange } from '../../server/domain/webhooks/delivery.ts'
import { api, RequestError } from './api.ts'
import type { DataSource, EventWithExchange } from './data-source.ts'

/** Loads data from the sandbox. */
export const liveSource: DataSource = {
  clock: async () => (await api.clock.$get()).json(),

  async accounts() {
    const response = await api.accounts.$get()
    return (await response.json()).accounts
  },

  async event(seq, signal) {
    try {
      const response = await api.events[':seq'].$get({ param: { seq: String(seq) } }, { init: { signal } })
      const { exchange, pinned, ...rest } = (await response.json()) as EventView &
        Omit<EventWithExchange, 'event'>
      const event = rest as EventView
      return { event, exchange: exchange ?? (await loadIntendedExchange(event, signal)), pinned }
    } catch (error) {
      if (error instanceof RequestError && error.status === 404) return undefined
      throw error
    }
  },
}

/** The request that a webhook would make, for an event in which it was not sent. */
async function loadIntendedExchange(event: EventView, signal: AbortSignal): Promise<Exchange | null> {
  if (!('deliveryId' in event) || event.type === 'delivery.attempted') return null
  const param = { id: String(event.deliveryId) }
  const response = await api.deliveries[':id'].$get({ param }, { init: { signal } })
  return intendedExchange((await response.json()) as DeliveryView)
}
