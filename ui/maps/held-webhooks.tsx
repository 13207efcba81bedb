import { parseHost } from '../../server/domain/network/allowed-host.ts'
import { applyMaps } from '../../server/domain/network/origin-map.ts'
import { formatAmount } from '../../server/format/values.ts'
import { release } from '../details/actions.ts'
import { formatRoute } from '../hash-route.ts'
import type { HeldEvent } from '../event-index.ts'
import { log } from '../session.ts'
import { heldWebhookEvents } from './held-webhook-events.ts'
import { MapButton } from './map-form.tsx'
import { TextWithFlags } from './text-with-flags.tsx'
import { allow, releaseAll, rules } from './egress-rules.ts'

const hostFor = ({ target, mappedTo }: HeldEvent): string => parseHost(mappedTo ?? target) ?? ''

/** Held webhooks by the host that they would go to, each host with its reason. */
export function HeldWebhooks() {
  const held = heldWebhookEvents.value
  const hosts = [...new Set(held.map(hostFor))]
  return (
    <section aria-labelledby="held">
      <h2 id="held">Held webhooks</h2>
      <p>
        Webhooks are unsigned, so a sandbox must not tell a real shop of money that never moved. Those for
        this machine and private networks are sent; the others wait here.
      </p>
      {held.length === 0 && <p class="muted">None is held.</p>}
      <ul class="cards hosts">
        {hosts.map((host) => (
          <Host key={host} host={host} events={held.filter((event) => hostFor(event) === host)} />
        ))}
      </ul>
    </section>
  )
}

interface Props {
  readonly host: string
  readonly events: readonly HeldEvent[]
}

function Host({ host, events }: Props) {
  const maps = rules.value.state === 'loaded' ? rules.value.value.maps : []
  const ways = events.map(({ target }) => applyMaps(target, maps)?.map ?? new URL(target).origin)
  return (
    <li class="card">
      <h3>{host}</h3>
      {[...new Set(events.map(({ heldReason }) => heldReason))].map((reason) => (
        <p key={reason} class="muted">
          <TextWithFlags text={reason} />
        </p>
      ))}
      <div class="actions">
        {events.length > 1 ? (
          <button type="button" onClick={() => releaseAll(host)}>
            Release all {events.length} to {host}
          </button>
        ) : (
          <button type="button" onClick={() => release(events[0]!.deliveryId)}>
            Release delivery {events[0]!.deliveryId}
          </button>
        )}
        <button type="button" onClick={() => allow(host)}>
          Always allow {host}
        </button>
        {[...new Set(ways)].map((way) =>
          typeof way === 'string' ? (
            <MapButton key={way} title={`Map ${way}`} from={way} />
          ) : (
            <MapButton
              key={way.from}
              title={`Change the map of ${way.from}`}
              from={way.from}
              to={way.to}
              before={way.from}
            />
          ),
        )}
      </div>
      <ul class="lines">
        {events.map((event) => (
          <Held key={event.deliveryId} event={event} isOneOfMany={events.length > 1} />
        ))}
      </ul>
    </li>
  )
}

interface HeldProps {
  readonly event: HeldEvent
  readonly isOneOfMany: boolean
}

function Held({ event, isOneOfMany }: HeldProps) {
  const { deliveryId, target, mappedTo, payId, seq, status } = event
  const payment = payId === null ? undefined : log.journal.value.eventIndex.payments.get(payId)
  return (
    <li>
      <span class="led">
        {mappedTo ?? target}
        {mappedTo !== undefined && <span class="muted"> mapped from {target}</span>}
      </span>
      <span class="foot">
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
            aria-label={`Release delivery ${deliveryId}`}
            onClick={() => release(deliveryId)}
          >
            Release
          </button>
        )}
      </span>
    </li>
  )
}
