import { release, replay } from '../details/actions.ts'
import { formatRoute } from '../hash-route.ts'
import { log } from '../session.ts'
import { Time } from '../shell/time.tsx'
import { buildJourney, type Mark, type WebhookStep, type Step } from './build-journey.ts'

/** Everything that happened to a link, oldest first, each step after what caused it. */
export function Journey({ payId }: { readonly payId: number }) {
  return <Steps steps={buildJourney(log.journal.value.eventIndex.eventsOfPayment(payId))} />
}

const Steps = ({ steps }: { readonly steps: readonly Step[] }) => (
  <ol class="journey">
    {steps.map((step) => (
      <li
        key={step.sending ? `webhook ${step.sending.deliveryId}` : step.seq}
        data-tone={step.sending?.later.at(-1)?.tone ?? step.tone}
      >
        <div class="step">
          <p>
            <Moment {...step} /> {step.text} <span class="muted">{step.detail}</span> <Status {...step} />
            {step.sending && <Rest sending={step.sending} />}
          </p>
          {CAN_ACT && step.sending && <Remedies sending={step.sending} />}
        </div>
        {step.sending && step.sending.repeats.length > 0 && <Steps steps={step.sending.repeats} />}
      </li>
    ))}
  </ol>
)

const Moment = ({ seq, at }: Mark) => (
  <a class="time" href={formatRoute({ screen: 'timeline', id: seq })}>
    <Time at={at} />
  </a>
)

const Status = ({ tone, status }: Pick<Mark, 'tone' | 'status'>) => (
  <span class="status" data-tone={tone}>
    {status}
  </span>
)

/** What else came of a webhook. */
function Rest({ sending: { later, nextAttemptAt, captured } }: { readonly sending: WebhookStep }) {
  return (
    <>
      {later.map((mark) => (
        <span key={mark.seq}>
          , <Moment {...mark} /> <Status {...mark} />
        </span>
      ))}
      {nextAttemptAt !== null && (
        <>
          , <Status tone="warn" status="○ pending" /> until <Time at={nextAttemptAt} />
        </>
      )}
      {captured !== null && (
        <>
          , <a href={formatRoute({ screen: 'timeline', id: captured })}>captured</a>
        </>
      )}
    </>
  )
}

function Remedies({ sending: { deliveryId, isHeld, isRepeat } }: { readonly sending: WebhookStep }) {
  return (
    <>
      {isHeld && (
        <button type="button" class="small" onClick={() => release(deliveryId)}>
          Release
        </button>
      )}
      {!isRepeat && (
        <button type="button" class="small" onClick={() => replay(deliveryId)}>
          Send again
        </button>
      )}
    </>
  )
}
