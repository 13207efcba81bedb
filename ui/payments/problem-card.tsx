import { editAndResend, replay } from '../details/actions.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { log } from '../data/session.ts'
import { Icon } from '../components/icon.tsx'
import { useOneAtATime } from '../browser/use-one-at-a-time.ts'
import type { WebhookMark } from '../../server/contract/format/webhook-marks.ts'
import { webhookProblem } from './webhook-problem.ts'

const icons = { err: 'close', warn: 'pause', plain: 'stored' } as const

/** The first thing in the details of a payment whose webhooks failed, are held or are stored. */
export function ProblemCard({ payId }: { readonly payId: number }) {
  const { eventIndex } = log.journal.value
  const problem = webhookProblem(eventIndex.webhooksOfPayment(payId), eventIndex.eventsOfPayment(payId))
  if (!problem) return null
  const { tone, title, sentences, marks } = problem

  return (
    <section class="failure" data-tone={tone} aria-label="Cause and remedy">
      <div class="problem">
        <div>
          <h3>
            <Icon name={icons[tone]} />
            {title}
          </h3>
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        {tone !== 'err' ? (
          <a class="button" href={formatRoute({ screen: 'timeline', id: marks[0]!.seq })}>
            Open the webhook
          </a>
        ) : (
          CAN_ACT && (
            <div class="problem-actions">
              <SendAgain marks={marks} />
              {marks.length === 1 && (
                <button type="button" class="link" onClick={() => editAndResend(marks[0]!.deliveryId)}>
                  Edit and resend
                </button>
              )}
            </div>
          )
        )}
      </div>
    </section>
  )
}

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
