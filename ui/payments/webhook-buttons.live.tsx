import type { WebhookMark } from '../../server/contract/format/webhook-marks.ts'
import { useOneAtATime } from '../browser/use-one-at-a-time.ts'
import { hostAndPort } from '../../server/contract/format/describe-event.ts'
import { log } from '../data/session.ts'
import { allowOnce, editAndReplay, replay } from '../details/actions.ts'
import type { WebhookStep } from './build-journey.ts'

/** The buttons of delivered webhooks, below a diagram. The buttons of all others are in the card above. */
export function WebhookButtons({ payId }: { readonly payId: number }) {
  const webhooks = log.journal.value.eventIndex.webhooksOfPayment(payId)
  const isOnlyOne = webhooks.length === 1
  return (
    <>
      {webhooks
        .filter(({ state }) => state === 'delivered')
        .map(({ target, deliveryId }) => (
          <p key={target} class="webhook-buttons">
            {!isOnlyOne && <span class="muted">{hostAndPort(target)}</span>}
            <button type="button" class="small" onClick={() => replay(deliveryId)}>
              Replay
              {isOnlyOne && <kbd aria-hidden="true">r</kbd>}
            </button>
            <button type="button" class="small" onClick={() => editAndReplay(deliveryId)}>
              Edit and replay
              {isOnlyOne && <kbd aria-hidden="true">e</kbd>}
            </button>
          </p>
        ))}
    </>
  )
}

/** The buttons of a webhook in the list of a journey. */
export function StepButtons({
  webhook: { deliveryId, isHeld, isRepeat },
}: {
  readonly webhook: WebhookStep
}) {
  return (
    <>
      {isHeld && (
        <button type="button" class="small" onClick={() => allowOnce(deliveryId)}>
          Allow once
        </button>
      )}
      {!isRepeat && !isHeld && (
        <button type="button" class="small" onClick={() => replay(deliveryId)}>
          Replay
        </button>
      )}
      {!isRepeat && (
        <button type="button" class="small" onClick={() => editAndReplay(deliveryId)}>
          Edit and replay
        </button>
      )}
    </>
  )
}

/** The buttons of the webhooks that did not arrive. */
export const ProblemButtons = ({ marks }: { readonly marks: readonly WebhookMark[] }) => (
  <div class="problem-actions">
    <SendAgain marks={marks} />
    {marks.length === 1 && (
      <button type="button" class="link" onClick={() => editAndReplay(marks[0]!.deliveryId)}>
        Edit and replay
      </button>
    )}
  </div>
)

function SendAgain({ marks }: { readonly marks: readonly WebhookMark[] }) {
  const runOne = useOneAtATime()
  const sendAgain = async () => {
    for (const { deliveryId } of marks) await replay(deliveryId)
  }
  return (
    <button type="button" class="primary" onClick={() => runOne(sendAgain)}>
      {marks.length === 1 ? 'Replay' : `Replay all ${marks.length}`}
    </button>
  )
}
