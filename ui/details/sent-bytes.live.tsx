import { computed } from '@preact/signals'
import type { EventWithExchange } from '../data/data-source.ts'
import type { EventView } from '../../server/contract/views.ts'
import { attemptsOf } from '../data/attempts.ts'
import { createResource } from '../data/resource.ts'
import { canLoad, log } from '../data/session.ts'
import { source } from '../data/source.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { selectedEvent } from './selected-event.ts'

/** The maximum number of compared attempts, because each of them has to be loaded. */
const MAX_COMPARED = 10

/** The attempts of a webhook and of its replays, oldest first. */
const sendingsOf = (event: EventView | undefined) =>
  event === undefined || !('deliveryId' in event)
    ? []
    : [event.deliveryId, ...log.journal.value.eventIndex.replaysOfDelivery(event.deliveryId)].flatMap(
        attemptsOf,
      )

/** Text, because equal texts do not make the resource load again. */
const seqs = computed(() =>
  sendingsOf(selectedEvent.value)
    .slice(0, MAX_COMPARED)
    .map(({ seq }) => seq)
    .join(','),
)

async function load(list: string, signal: AbortSignal) {
  const loaded = await Promise.all(list.split(',').map((seq) => source.event(Number(seq), signal)))
  return loaded.filter((one) => one !== undefined)
}

const sendings = createResource(
  (signal) => (seqs.value.includes(',') && canLoad() ? load(seqs.value, signal) : undefined),
  'clear',
)

/** Says whether all attempts and replays of the selected webhook have sent the same bytes. */
export function SentBytes() {
  const { value } = sendings
  const [first, ...others] = value.state === 'loaded' ? value.value : []
  if (!first || others.length === 0) return null
  const different = others.find((other) => requestOf(other) !== requestOf(first))
  const other = different ?? others.at(-1)!
  const all = others.length === 1 ? 'Both' : `All ${others.length + 1}`
  return (
    <p>
      {different
        ? `${nameOf(different)} sent bytes that differ from the first attempt. `
        : `${all} sent the same bytes. `}
      <a href={formatRoute({ screen: 'timeline', id: first.event.seq, other: other.event.seq })}>Compare</a>
    </p>
  )
}

const requestOf = ({ exchange }: EventWithExchange): string => JSON.stringify(exchange?.request)

const nameOf = ({ event }: EventWithExchange): string => {
  if (event.type !== 'delivery.attempted') return ''
  return event.replayOf === null ? `Attempt ${event.attempt}` : `The replay, delivery ${event.deliveryId},`
}
