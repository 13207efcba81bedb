import type { EventView } from '../../server/contract/views.ts'
import { openPoints, type AssumptionName } from '../../server/domain/behaviors/open-points.ts'
import { formatRoute } from '../hash-route.ts'
import { log } from '../session.ts'

/** The points on which an event depends and which the API reference does not specify. */
export function Assumptions({ event }: { readonly event: EventView }) {
  const names = assumedBy(event)
  if (names.length === 0) return null

  return (
    <section class="assumptions" aria-label="Assumptions">
      <h3>Assumptions</h3>
      {names.map((name) => {
        const { reference, assumption } = openPoints[name]
        return (
          <details key={name}>
            <summary title={`${reference}\n${assumption}`}>{name}</summary>
            <p>{reference}</p>
            <p>{assumption}</p>
            <p>
              <a
                href={formatRoute({ screen: 'sandbox', account: event.accountId ?? undefined, point: name })}
              >
                {name} on the Sandbox screen
              </a>
            </p>
          </details>
        )
      })}
    </section>
  )
}

/** The assumptions of a webhook are recorded when it is queued. */
function assumedBy(event: EventView): readonly AssumptionName[] {
  if ('assumed' in event) return event.assumed
  if (!('deliveryId' in event)) return []
  const queued = log.journal.value.eventIndex.eventsOfDelivery(event.deliveryId)[0]
  return queued && 'assumed' in queued ? queued.assumed : []
}
