import type { EventView } from '../../server/contract/views.ts'
import type { Exchange } from '../../server/domain/http/exchange.ts'
import { intendedExchange } from '../../server/domain/webhooks/delivery.ts'
import { readAllAccounts } from '../../server/contract/read-all-accounts.ts'
import { SandboxError } from '../../server/contract/sandbox-error.ts'
import { request } from './api.ts'
import { bodySearches } from './body-searches.ts'
import { followStream } from './stream.ts'
import type { DataSource } from './data-source.ts'

/** Loads data from the sandbox. */
export const liveSource: DataSource = {
  follow: followStream,

  clock: () => request('GET /clock'),

  accounts: () => readAllAccounts((query) => request('GET /accounts', { query })),

  async event(seq, signal) {
    try {
      const { exchange, ...rest } = await request('GET /events/:seq', { param: { seq }, signal })
      const event = rest as EventView
      return { event, exchange: exchange ?? (await loadIntendedExchange(event, signal)) }
    } catch (error) {
      if (error instanceof SandboxError && error.status === 404) return undefined
      throw error
    }
  },

  bodyMatcher() {
    const searches = bodySearches.value
    return (seq, text) => searches.get(text)?.found.has(seq) ?? false
  },
}

/** The request that a webhook would send, for events about webhooks that were not sent. */
async function loadIntendedExchange(event: EventView, signal: AbortSignal): Promise<Exchange | null> {
  if (!('deliveryId' in event) || event.type === 'delivery.attempted') return null
  const param = { id: event.deliveryId }
  return intendedExchange(await request('GET /deliveries/:id', { param, signal }))
}
