import type { DeliveryView } from '../../server/contract/views.ts'
import { isStored } from '../../server/domain/webhooks/delivery.ts'
import { resultOf, type DeliveryResult } from './delivery-result.ts'
import { DeliveryAnswer, Warning } from './answer.tsx'
import { sentFrom, setSent } from './replay-state.ts'

const isAccepted = (result: DeliveryResult | undefined): boolean =>
  result?.type === 'delivery.attempted' && result.state === 'delivered' && !isStored(result)

/** Whether the answer to a webhook from the editor is missing. */
export const isWaiting = (deliveryId: number): boolean =>
  sentFrom(deliveryId).some((sentId) => !resultOf(sentId))

/** The answers to the last webhooks from the editor. */
export function Answers({ original }: { readonly original: DeliveryView }) {
  const sent = sentFrom(original.id)
  if (sent.length === 0) return null
  return (
    <section class="answers" aria-label="Response" aria-live="polite">
      {sent.map((sentId, index) => (
        <DeliveryAnswer
          key={sentId}
          title={sent.length === 1 ? 'Response' : `Response ${index + 1} of ${sent.length}`}
          deliveryId={sentId}
          original={original}
        />
      ))}
      {sent.length > 1 && sent.every((sentId) => isAccepted(resultOf(sentId))) && (
        <Warning title="Your app accepted both.">Check that it handled the payment once.</Warning>
      )}
      {isWaiting(original.id) && (
        <button type="button" class="small" onClick={() => setSent(original.id, [])}>
          Stop waiting
        </button>
      )}
    </section>
  )
}
