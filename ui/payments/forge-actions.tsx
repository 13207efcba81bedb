import type { Forgery } from '../../server/domain/faults/forgery.ts'
import { request, withErrorToast } from '../data/api.ts'
import { useOneAtATime } from '../browser/use-one-at-a-time.ts'
import type { Payment } from '../data/payment.ts'

const forgeries: readonly (readonly [Forgery, string])[] = [
  ['amount', 'Wrong amount'],
  ['user', 'Wrong account'],
  ['payId', 'Unknown payment'],
  ['nothing', 'Unexpected Success'],
  ['old', 'Old webhook again'],
]

/** Sends what an attacker could send for this payment, because webhooks are not signed. */
export function ForgeActions({ payment: { link } }: { readonly payment: Payment }) {
  const runOne = useOneAtATime()
  const forge = (forgery: Forgery) =>
    runOne(() =>
      withErrorToast(() =>
        request('POST /links/:ref/forged-webhook', {
          param: { ref: link.id },
          json: { forgery, wait: 'accepted' },
        }),
      ),
    )
  return (
    <details class="unavailable">
      <summary>Forge a webhook</summary>
      <p class="muted">
        Webhooks are not signed, so anyone who knows the address can send one. Each of these reports a Success
        to your receiver. Nothing changes in the sandbox.
      </p>
      <p class="actions">
        {forgeries.map(([forgery, text]) => (
          <button key={forgery} type="button" onClick={() => forge(forgery)}>
            {text}
          </button>
        ))}
      </p>
    </details>
  )
}
