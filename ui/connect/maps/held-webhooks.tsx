import { GuideLink } from '../../components/guide-link.live.tsx'
import { heldText } from '../../../server/domain/network/egress-text.ts'
import { parseHost } from '../../../server/domain/network/allowed-host.ts'
import { applyMaps } from '../../../server/domain/network/origin-map.ts'
import { formatAmount } from '../../../server/contract/format/values.ts'
import { allowOnce } from '../../details/actions.ts'
import { formatRoute } from '../../browser/hash-route.ts'
import type { HeldEvent } from '../../data/event-index.ts'
import { log } from '../../data/session.ts'
import { heldWebhookEvents } from './held-webhook-events.ts'
import { MapButton } from './map-form.tsx'
import { TextWithFlags } from '../../components/text-with-flags.tsx'
import { allowHost, egressRules, allowAll } from '../../data/egress-rules.ts'

const hostFor = ({ target, mappedTo }: HeldEvent): string => parseHost(mappedTo ?? target) ?? ''

/** The held webhooks, grouped by target host, with the reasons. */
export function HeldWebhooks() {
  const held = heldWebhookEvents.value
  const hosts = [...new Set(held.map(hostFor))]
  return (
    <section aria-label="Held webhooks">
      <p>
        Webhooks are not signed, so a real shop would take them for real payments. The sandbox sends webhooks
        only to this machine, private networks and allowed hosts. It holds all others until you allow them.
        <GuideLink page="webhooks#held-webhooks" about="held webhooks" />
      </p>
      {held.length === 0 && <p class="muted">No held webhooks.</p>}
      <ul class="cards hosts">
        {hosts.map((host) => (
          <HostCard key={host} host={host} events={held.filter((event) => hostFor(event) === host)} />
        ))}
      </ul>
    </section>
  )
}

interface Props {
  readonly host: string
  readonly events: readonly HeldEvent[]
}

function HostCard({ host, events }: Props) {
  const maps = egressRules.value.state === 'loaded' ? egressRules.value.value.maps : []
  const origins = events.map(({ target }) => applyMaps(target, maps)?.map ?? new URL(target).origin)
  return (
    <li class="card">
      <h3>{host}</h3>
      {[...new Set(events.map(heldText))].map((reason) => (
        <p key={reason} class="muted">
          <TextWithFlags text={reason} />.
        </p>
      ))}
      <div class="actions">
        {events.length > 1 ? (
          <button type="button" onClick={() => allowAll(host)}>
            Allow all {events.length} to {host} once
          </button>
        ) : (
          <button type="button" onClick={() => allowOnce(events[0]!.deliveryId)}>
            Allow delivery {events[0]!.deliveryId} once
          </button>
        )}
        <button type="button" onClick={() => allowHost(host)}>
          Always allow {host}
        </button>
        {[...new Set(origins)].map((origin) =>
          typeof origin === 'string' ? (
            <MapButton key={origin} title={`Map ${origin}`} from={origin} />
          ) : (
            <MapButton
              key={origin.from}
              title={`Change the map of ${origin.from}`}
              from={origin.from}
              to={origin.to}
              before={origin.from}
            />
          ),
        )}
      </div>
      <ul class="lines">
        {events.map((event) => (
          <HeldRow key={event.deliveryId} event={event} isOneOfMany={events.length > 1} />
        ))}
      </ul>
    </li>
  )
}

interface HeldProps {
  readonly event: HeldEvent
  readonly isOneOfMany: boolean
}

function HeldRow({ event, isOneOfMany }: HeldProps) {
  const { deliveryId, target, mappedTo, payId, seq, status } = event
  const payment = payId === null ? undefined : log.journal.value.eventIndex.payments.get(payId)
  return (
    <li>
      <span class="mapped">
        {mappedTo ?? target}
        {mappedTo !== undefined && <span class="muted"> mapped from {target}</span>}
      </span>
      <span class="card-footer">
        <a href={formatRoute({ screen: 'timeline', id: seq })}>delivery {deliveryId}</a>
        {payId !== null && <a href={formatRoute({ screen: 'payments', id: payId })}>payment {payId}</a>}
        <span>
          {status}
          {payment && <> {formatAmount(payment.link.amount)}</>}
        </span>
        {isOneOfMany && (
          <button
            type="button"
            class="small"
            aria-label={`Allow once: delivery ${deliveryId}`}
            onClick={() => allowOnce(deliveryId)}
          >
            Allow once
          </button>
        )}
      </span>
    </li>
  )
}
