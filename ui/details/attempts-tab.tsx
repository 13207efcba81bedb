import { formatRoute } from '../browser/hash-route.ts'
import { currentEntry } from '../data/current-entry.ts'
import { formatTook } from '../../server/contract/format/values.ts'
import { joinParts, fetchedText } from '../../server/contract/format/describe-event.ts'
import { isStored } from '../../server/domain/webhooks/delivery.ts'
import type { AttemptEventView, DeliveryEvent } from '../data/event-index.ts'
import { log } from '../data/session.ts'
import { StatusMark } from '../components/status.tsx'
import { Time } from '../components/time.tsx'

/** The attempts to deliver a webhook and its replays. */
export function AttemptsTab({ event: { deliveryId, seq } }: { readonly event: DeliveryEvent }) {
  const { eventIndex } = log.journal.value
  const ids = [deliveryId, ...eventIndex.replaysOfDelivery(deliveryId)]

  return (
    <div class="attempt-tables">
      {ids.map((id) => (
        <table key={id} class="attempts">
          <caption>{id === deliveryId ? `Delivery ${id}` : `Replay, delivery ${id}`}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Status</th>
              <th scope="col">Details</th>
              <th scope="col">Took</th>
            </tr>
          </thead>
          <tbody>
            {eventIndex.eventsOfDelivery(id).map((step, index, steps) => {
              const { row } = currentEntry(step)
              return (
                <tr key={step.seq} aria-current={step.seq === seq}>
                  <td>
                    <a href={formatRoute({ screen: 'timeline', id: step.seq })}>
                      <Time at={step.at} after={steps[index - 1]?.at} />
                    </a>
                  </td>
                  <td>
                    <StatusMark
                      {...row}
                      {...(index < steps.length - 1 && isQueued(step) && { tone: 'plain' })}
                    />
                  </td>
                  <td>{joinParts(row.lead, row.rest)}</td>
                  <td>{row.took !== null && formatTook(row.took)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      ))}
      <p class="muted">
        <NextAttempt deliveryId={deliveryId} />
      </p>
    </div>
  )
}

const isQueued = ({ type }: DeliveryEvent): boolean => type === 'delivery.queued'

/** When the next attempt is due, or that there will be none. */
function NextAttempt({ deliveryId }: { readonly deliveryId: number }) {
  const last = log.journal.value.eventIndex.eventsOfDelivery(deliveryId).at(-1)
  switch (last?.type) {
    case 'delivery.attempted':
      if (last.nextAttemptAt !== null) {
        return (
          <>
            Pending. The next attempt is due at <Time at={last.nextAttemptAt} style="full" /> of the sandbox’s
            clock.
          </>
        )
      }
      return last.state === 'failed' ? (
        <>No automatic retry follows. Replay sends the same bytes again.</>
      ) : (
        <Delivered event={last} />
      )
    case 'delivery.held':
      return <>Held: nothing is sent until you allow it.</>
    default:
      return <>Pending.</>
  }
}

function Delivered({ event }: { readonly event: AttemptEventView }) {
  const { listenerAnswer } = currentEntry(event)
  if (!isStored(event)) return <>Delivered. No further attempt follows.</>
  if (!listenerAnswer) return <>Stored in tunnel {event.storedIn}. No listener has fetched it.</>
  return (
    <>
      Stored in tunnel {event.storedIn}, then {fetchedText(listenerAnswer)}.
    </>
  )
}
