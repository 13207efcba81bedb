import type { EventView } from '../../server/contract/views.ts'
import type { AssumptionName } from '../../server/domain/behaviors/open-points.ts'
import { listAssumptions } from '../../server/domain/events/event-assumptions.ts'
import { screens } from '../browser/screens.ts'
import { Fragment } from 'preact'
import { plural } from '../../server/contract/format/values.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { textsOfOpenPoints } from '../data/open-point-texts.ts'
import { log } from '../data/session.ts'

const UNKNOWN = { reference: '', assumption: '' }

/** The open points that an event depends on. */
export function Assumptions({ event }: { readonly event: EventView }) {
  const names = assumedBy(event)
  if (names.length === 0) return null
  const texts = textsOfOpenPoints()

  return (
    <details class="assumptions">
      <summary>
        {plural(names.length, 'assumption')} <span class="muted">{names.join(', ')}</span>
      </summary>
      <dl>
        {names.map((name) => {
          const { reference, assumption } = texts[name] ?? UNKNOWN
          return (
            <Fragment key={name}>
              <dt>
                {screens.includes('sandbox') ? (
                  <a
                    aria-label={`${name} on the Sandbox screen`}
                    href={formatRoute({
                      screen: 'sandbox',
                      account: event.accountId ?? undefined,
                      point: name,
                    })}
                  >
                    {name}
                  </a>
                ) : (
                  name
                )}
              </dt>
              <dd>{reference}</dd>
              <dd>{assumption}</dd>
            </Fragment>
          )
        })}
      </dl>
    </details>
  )
}

/** The assumptions of a webhook are recorded when it is queued. An attempt may depend on more. */
function assumedBy(event: EventView): readonly AssumptionName[] {
  const own = listAssumptions(event)
  if ('assumed' in event || !('deliveryId' in event)) return own
  const queued = log.journal.value.eventIndex.eventsOfDelivery(event.deliveryId)[0]
  return queued && 'assumed' in queued ? [...new Set([...own, ...queued.assumed])] : own
}
