import { release } from '../details/actions.ts'
import { formatRoute } from '../hash-route.ts'
import { log } from '../session.ts'

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
        {held.map(({ deliveryId, target, reason, payId, seq }) => (
          <li key={deliveryId} class="card">
            <h3>{target}</h3>
            <p class="muted">{reason}</p>
            <p class="foot">
              <a href={formatRoute({ screen: 'timeline', id: seq })}>delivery {deliveryId}</a>
              <a href={formatRoute({ screen: 'payments', id: payId ?? undefined })}>payment {payId}</a>
              <button type="button" onClick={() => release(deliveryId)}>
                Release
              </button>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
