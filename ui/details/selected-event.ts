import { computed } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'
import { textBody, type Exchange } from '../../server/domain/http/exchange.ts'
import { indexOf } from '../data/log.ts'
import { createResource } from '../data/resource.ts'
import { connection, log } from '../data/session.ts'
import type { EventWithExchange } from '../data/data-source.ts'
import { source } from '../data/source.ts'
import { selectedSeq } from '../search/view.ts'

const epochCount = computed(() => log.journal.value.epochCount)
const isReady = computed(() => connection.value !== 'connecting')

/** The selected event with its bytes. `undefined` if the journal does not have the event. */
export const loadedEvent = createResource((signal) => {
  const seq = selectedSeq.value
  // In another epoch, the same number belongs to another event.
  const canLoadEvent = epochCount.value >= 0 && isReady.value
  return seq !== undefined && canLoadEvent ? load(seq, signal) : undefined
}, 'clear')

/** The selected event, from the log if the log has it. */
export const selectedEvent = computed((): EventView | undefined => {
  const { entries } = log.journal.value
  const seq = selectedSeq.value
  const known = entries[indexOf(entries, seq)]?.event
  if (known || loadedEvent.value.state !== 'loaded') return known
  const loaded = loadedEvent.value.value?.event
  return loaded?.seq === seq ? loaded : undefined
})

/** The request and response of the selected event. `undefined` until they are loaded. */
export const selectedExchange = computed((): Exchange | null | undefined => {
  if (loadedEvent.value.state !== 'loaded') return undefined
  const loaded = loadedEvent.value.value
  return loaded && loaded.event.seq === selectedSeq.value ? loaded.exchange : undefined
})

async function load(seq: number, signal: AbortSignal): Promise<EventWithExchange | undefined> {
  const found = await source.event(seq, signal)
  return found && { ...found, exchange: found.exchange ?? redirectOf(found.event) }
}

/** The customer's browser sends this request, so the sandbox knows only its address. */
const redirectOf = (event: EventView): Exchange | null =>
  'location' in event
    ? { request: { method: 'GET', url: event.location, headers: [], body: textBody('') }, response: null }
    : null
