import { hostOf } from '../../server/domain/allowed-host.ts'
import { release } from '../details/actions.ts'
import { formatRoute } from '../hash-route.ts'
import type { HeldEvent } from '../ledger.ts'
import { log } from '../session.ts'
import { MapButton } from './map-form.tsx'
import { allow, releaseAll } from './rules.ts'

const hostFor = ({ target, mappedTo }: HeldEvent): string => hostOf(mappedTo ?? target) ?? ''

/** What the sandbox will not send by itself, each with its reason. */
export function HeldWebhooks() {
  const held = [...log.journal.value.ledger.held.values()]
  return (
    <section aria-labelledby="held">
      <h2 id="held">Held webhooks</h2>
      <p>
        Webhooks are unsigned, so a sandbox must not tell a real shop of money that never moved. Those for
        this machine and private networks are sent; the others wait here.
      </p>
      {held.length === 0 && <p class="muted">None is held.</p>}
      <ul class="cards">
        {held.map((event) => (
          <Held
            key={event.deliveryId}
            event={event}
            together={held.filter((other) => hostFor(other) === hostFor(event)).length}
          />
        ))}
      </ul>
    </section>
  )
}

interface Props {
  readonly event: HeldEvent
  /** How many are held for the same host. */
  readonly together: number
}

function Held({ event, together }: Props) {
  const { deliveryId, target, mappedTo, reason, payId, seq } = event
  const host = hostFor(event)
  return (
    <li class="card">
      <h3>{target}</h3>
      {mappedTo !== undefined && <p class="led">→ {mappedTo}</p>}
      <p class="muted">{reason}</p>
      <p class="foot">
        <a href={formatRoute({ screen: 'timeline', id: seq })}>delivery {deliveryId}</a>
        <a href={formatRoute({ screen: 'payments', id: payId ?? undefined })}>payment {payId}</a>
      </p>
      <div class="actions">
        <button type="button" onClick={() => release(deliveryId)}>
          Release
        </button>
        {together > 1 && (
          <button type="button" onClick={() => releaseAll(host)}>
            Release all {together} to {host}
          </button>
        )}
        <button type="button" onClick={() => allow(host)}>
          Always allow {host}
        </button>
        {mappedTo === undefined && (
          <MapButton title={`Map ${new URL(target).origin}`} from={new URL(target).origin} />
        )}
      </div>
    </li>
  )
}
