import { computed } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'
import { textBody, type Exchange } from '../../server/domain/http/exchange.ts'
import { indexOf } from '../log.ts'
import { createResource } from '../resource.ts'
import { connection, log } from '../session.ts'
import type { EventWithExchange } from '../data-source.ts'
import { source } from '../source.ts'
import { selectedSeq } from '../timeline/view.ts'

const generation = computed(() => log.journal.value.generation)
const isReady = computed(() => connection.value !== 'connecting')

/** The selected event with its bytes. `undefined` where the journal has no such event. */
export const selected = createResource((signal) => {
  const seq = selectedSeq.value
  const basis = { seq, generation: generation.value }
  return basis.seq !== undefined && isReady.value ? load(basis.seq, signal) : undefined
}, 'dropped')

/** The selected event as far as it is known without asking. */
export const selectedEvent = computed((): EventView | undefined => {
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

async function load(seq: number, signal: AbortSignal): Promise<EventWithExchange | undefined> {
  const found = await source.event(seq, signal)
  return found && { ...found, exchange: found.exchange ?? redirectOf(found.event) }
}

/** The customer's browser makes this request; the sandbox knows its address. */
const redirectOf = (event: EventView): Exchange | null =>
  'location' in event
    ? { request: { method: 'GET', url: event.location, headers: [], body: textBody('') }, response: null }
    : null
