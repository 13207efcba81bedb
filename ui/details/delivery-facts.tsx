import { heldText, hostScopeText } from '../../server/domain/network/egress-text.ts'
import { formatRoute } from '../browser/hash-route.ts'
import type { DeliveryEvent, HeldEvent } from '../data/event-index.ts'
import { log } from '../data/session.ts'
import { Time } from '../components/time.tsx'
import { Fact } from './fact.tsx'

/** The target of a webhook, its history, and its replays. */
export function DeliveryFacts({ event }: { readonly event: DeliveryEvent }) {
  const { eventIndex } = log.journal.value
  const replays = eventIndex.replaysOfDelivery(event.deliveryId)
  const newest = eventIndex.eventsOfDelivery(event.deliveryId).at(-1)
  const listenerAnswer = eventIndex.listenerAnswerOf(event.deliveryId)

  return (
    <>
      <Fact name="Target">{event.target}</Fact>
      {'mappedTo' in event && <Fact name="Mapped to">{event.mappedTo}</Fact>}
      <Fact name="Why this target">{event.reason}</Fact>
      <Fact name="Delivery">{event.deliveryId}</Fact>
      {newest?.type === 'delivery.attempted' && newest.nextAttemptAt !== null && (
        <Fact name="Next attempt">
          <Time at={newest.nextAttemptAt} style="full" />
        </Fact>
      )}
      {eventIndex.capturesOfDelivery(event.deliveryId).map(({ seq, tunnel }) => (
        <Fact key={seq} name="Received">
          by <a href={formatRoute({ screen: 'timeline', id: seq })}>tunnel {tunnel}</a>
        </Fact>
      ))}
      {listenerAnswer && (
        <Fact name="Fetched">
          by listener {listenerAnswer.listener},{' '}
          <a href={formatRoute({ screen: 'timeline', id: listenerAnswer.seq })}>event {listenerAnswer.seq}</a>
        </Fact>
      )}
      {event.replayOf !== null && (
        <Fact name="Origin">
          replay of <DeliveryLink id={event.replayOf} />
        </Fact>
      )}
      {replays.length > 0 && (
        <Fact name="Replays">
          {replays.map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <DeliveryLink id={id} />
            </span>
          ))}
        </Fact>
      )}
      {'possibleDuplicate' in event && event.possibleDuplicate && (
        <Fact name="Possible duplicate">
          The sandbox stopped, or restored a snapshot, before the result was known. The receiver may get this
          webhook twice.
        </Fact>
      )}
    </>
  )
}

/** Why a webhook is held and how to send it. If it was allowed, when. */
export function HeldReason({ event }: { readonly event: HeldEvent }) {
  const next = log.journal.value.eventIndex
    .eventsOfDelivery(event.deliveryId)
    .find(({ seq }) => seq > event.seq)
  if (!next) return <>{heldText(event)}</>
  return (
    <>
      {hostScopeText(event)}. Allowed at{' '}
      <a href={formatRoute({ screen: 'timeline', id: next.seq })}>
        <Time at={next.at} />
      </a>
      .
    </>
  )
}

function DeliveryLink({ id }: { readonly id: number }) {
  const newest = log.journal.value.eventIndex.eventsOfDelivery(id).at(-1)
  const text = `delivery ${id}`
  return newest ? <a href={formatRoute({ screen: 'timeline', id: newest.seq })}>{text}</a> : <>{text}</>
}
