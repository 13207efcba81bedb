import type { Forgery } from '../../server/domain/faults/forgery.ts'
import { api, withErrorToast } from '../api.ts'
import { useOneAtATime } from '../use-one-at-a-time.ts'
import type { Payment } from './payment.ts'

const forgeries: readonly (readonly [Forgery, string])[] = [
  ['amount', 'FieldError amount'],
  ['user', 'FieldError account'],
  ['payId', 'Unknown payment'],
  ['nothing', 'Success, unasked'],
  ['old', 'An old one again'],
]

/** Webhooks are unsigned: what a stranger could send of this payment. */
export function ForgeActions({ payment: { link } }: { readonly payment: Payment }) {
  const once = useOneAtATime()
  const forge = (wrong: Forgery) =>
    once(() =>
      withErrorToast(() =>
        api.links[':ref']['forged-webhook'].$post({
          param: { ref: String(link.id) },
          json: { wrong, wait: 'accepted' },
        }),
      ),
    )
  return (
    <details class="impossible">
      <summary>Forge a webhook</summary>
      <p class="muted">
        Anybody who knows the address can send one, as nothing about it is signed. Each tells your receiver of
        a Success; nothing changes here.
      </p>
      <p class="actions">
        {forgeries.map(([wrong, text]) => (
          <button key={wrong} type="button" onClick={() => forge(wrong)}>
            {text}
          </button>
        ))}
      </p>
    </details>
  )
}
