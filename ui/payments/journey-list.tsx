import { formatStatus, waitingStatus, type Status } from '../../server/contract/format/event-row.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { log } from '../data/session.ts'
import { Time } from '../components/time.tsx'
import { StepButtons } from './webhook-buttons.live.tsx'
import { buildJourney, type JourneyStep, type StepStatus, type WebhookStep } from './build-journey.ts'

/** The history of a link. Each effect follows its cause. */
export function JourneyList({ payId }: { readonly payId: number }) {
  return <Steps steps={buildJourney(log.journal.value.eventIndex.eventsOfPayment(payId))} />
}

const Steps = ({ steps }: { readonly steps: readonly JourneyStep[] }) => (
  <ol class="journey">
    {steps.map((step) => (
      <li
        key={step.webhook ? `webhook ${step.webhook.deliveryId}` : step.seq}
        data-tone={(step.webhook?.laterStatuses.at(-1) ?? step).status.tone}
      >
        <div class="step">
          <p>
            <TimeLink {...step} /> {step.text} <span class="muted">{step.detail}</span>{' '}
            <StatusText {...step.status} />
            {step.webhook && <Captured webhook={step.webhook} />}
          </p>
          {step.webhook && <LaterStatuses webhook={step.webhook} />}
          {step.webhook && <StepButtons webhook={step.webhook} />}
        </div>
        {step.webhook && step.webhook.repeats.length > 0 && <Steps steps={step.webhook.repeats} />}
      </li>
    ))}
  </ol>
)

const TimeLink = ({ seq, at }: StepStatus) => (
  <a class="time" href={formatRoute({ screen: 'timeline', id: seq })}>
    <Time at={at} />
  </a>
)

const StatusText = (status: Status) => (
  <span class="status" data-tone={status.tone}>
    {formatStatus(status)}
  </span>
)

interface WebhookProps {
  readonly webhook: WebhookStep
}

const Captured = ({ webhook: { captured } }: WebhookProps) =>
  captured === null ? null : (
    <>
      , <a href={formatRoute({ screen: 'timeline', id: captured })}>in the tunnel</a>
    </>
  )

/** Later attempts of a webhook, one per line, and when the next one is due. */
function LaterStatuses({ webhook: { laterStatuses, nextAttemptAt } }: WebhookProps) {
  if (laterStatuses.length === 0 && nextAttemptAt === null) return null
  return (
    <ul class="later">
      {laterStatuses.map((later) => (
        <li key={later.seq}>
          <TimeLink {...later} /> <StatusText {...later.status} />
        </li>
      ))}
      {nextAttemptAt !== null && (
        <li>
          <Time at={nextAttemptAt} /> <StatusText {...waitingStatus('pending')} />
        </li>
      )}
    </ul>
  )
}
