import { computed } from '@preact/signals'
import type { ShownDelivery, ShownEvent } from '../../server/control/present.ts'
import { textBody, type Exchange } from '../../server/domain/exchange.ts'
import { api, Refused } from '../api.ts'
import { indexOf } from '../log.ts'
import { createResource } from '../resource.ts'
import { connection, log } from '../session.ts'
import { selectedSeq } from '../timeline/view.ts'

export interface Selected {
  readonly event: ShownEvent
  /** `null` where nothing went over a wire that the sandbox could see. */
  readonly exchange: Exchange | null
}

const generation = computed(() => log.journal.value.generation)
const isReady = computed(() => connection.value !== 'connecting')

/** The selected event with its bytes. `undefined` where the journal has no such event. */
export const selected = createResource((signal) => {
  const seq = selectedSeq.value
  const basis = { seq, generation: generation.value }
  return basis.seq !== undefined && isReady.value ? load(basis.seq, signal) : undefined
}, 'dropped')

/** The selected event as far as it is known without asking. */
export const selectedEvent = computed((): ShownEvent | undefined => {
  const { entries } = log.journal.value
  const seq = selectedSeq.value
  const known = entries[indexOf(entries, seq)]?.event
  if (known || selected.value.state !== 'loaded') return known
  const loaded = selected.value.value?.event
  return loaded?.seq === seq ? loaded : undefined
})

/** The bytes of the selected event, once they are here. */
export const selectedExchange = computed((): Exchange | null | undefined => {
  if (selected.value.state !== 'loaded') return undefined
  const loaded = selected.value.value
  return loaded && loaded.event.seq === selectedSeq.value ? loaded.exchange : undefined
})

async function load(seq: number, signal: AbortSignal): Promise<Selected | undefined> {
  try {
    const answer = await api.events[':seq'].$get({ param: { seq: String(seq) } }, { init: { signal } })
    const { exchange, ...event } = (await answer.json()) as ShownEvent & { exchange: Exchange | null }
    return { event: event as ShownEvent, exchange: exchange ?? (await intended(event as ShownEvent, signal)) }
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** What would be sent, where nothing has been yet. */
async function intended(event: ShownEvent, signal: AbortSignal): Promise<Exchange | null> {
  switch (event.type) {
    case 'redirect.sent':
    case 'redirect.lost':
      return {
        request: { method: 'GET', url: event.location, headers: [], body: textBody('') },
        response: null,
      }
    case 'delivery.queued':
    case 'delivery.held':
    case 'delivery.released': {
      const param = { id: String(event.deliveryId) }
      const answer = await api.deliveries[':id'].$get({ param }, { init: { signal } })
      const { target, contentType, body } = (await answer.json()) as ShownDelivery
      const request = {
        method: 'POST',
        url: target,
        headers: [['content-type', contentType]],
        body: textBody(body),
      } as const
      return { request, response: null }
    }
    default:
      return null
  }
}
