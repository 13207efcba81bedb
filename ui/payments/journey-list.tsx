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

interface StepsProps {
  readonly steps: readonly JourneyStep[]
  /** The time of the line above the steps. */
  readonly after?: string
}

const Steps = ({ steps, after }: StepsProps) => (
  <ol class="journey">
    {steps.map((step, index) => (
      <li
        key={step.webhook ? `webhook ${step.webhook.deliveryId}` : step.seq}
        data-tone={(step.webhook?.laterStatuses.at(-1) ?? step).status.tone}
      >
        <div class="step">
          <p>
            <TimeLink {...step} after={index === 0 ? after : endOf(steps[index - 1]!)} /> {step.text}{' '}
            <span class="muted">{step.detail}</span> <StatusText {...step.status} />
            {step.webhook && <Captured webhook={step.webhook} />}
          </p>
          {step.webhook && <LaterStatuses webhook={step.webhook} since={step.at} />}
          {step.webhook && <StepButtons webhook={step.webhook} />}
        </div>
        {step.webhook && step.webhook.repeats.length > 0 && (
          <Steps steps={step.webhook.repeats} after={ownEndOf(step)} />
        )}
      </li>
    ))}
  </ol>
)

/** The time of the last line of a step and its repeats. */
function endOf(step: JourneyStep): string {
  const repeat = step.webhook?.repeats.at(-1)
  return repeat ? endOf(repeat) : ownEndOf(step)
}

/** The time of the last line of a step, without its repeats. */
const ownEndOf = ({ at, webhook }: JourneyStep): string =>
  webhook?.nextAttemptAt ?? webhook?.laterStatuses.at(-1)?.at ?? at

const TimeLink = ({ seq, at, after }: StepStatus & { readonly after: string | undefined }) => (
  <a class="time" href={formatRoute({ screen: 'timeline', id: seq })}>
    <Time at={at} after={after} />
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
function LaterStatuses({
  webhook: { laterStatuses, nextAttemptAt },
  since,
}: WebhookProps & { readonly since: string }) {
  if (laterStatuses.length === 0 && nextAttemptAt === null) return null
  return (
    <ul class="later">
      {laterStatuses.map((later, index) => (
        <li key={later.seq}>
          <TimeLink {...later} after={laterStatuses[index - 1]?.at ?? since} />{' '}
          <StatusText {...later.status} />
        </li>
      ))}
      {nextAttemptAt !== null && (
        <li>
          <Time at={nextAttemptAt} after={laterStatuses.at(-1)?.at ?? since} />{' '}
          <StatusText {...waitingStatus('pending')} />
        </li>
      )}
    </ul>
  )
}
