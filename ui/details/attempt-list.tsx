import { describeEvent } from '../../server/format/describe-event.ts'
import { formatTook } from '../../server/format/values.ts'
import { formatRoute } from '../hash-route.ts'
import { Status } from '../shell/status.tsx'
import { Time } from '../shell/time.tsx'
import { formatWait } from '../timeline/event-text.ts'
import { TookBar } from '../timeline/took-bar.tsx'
import { attemptsOf } from './attempts.ts'
import type { DeliveryEvent } from '../event-index.ts'

/** The attempts of a delivery with the time between them. Each is a link to its event. */
export function AttemptList({ event }: { readonly event: DeliveryEvent }) {
  const attempts = attemptsOf(event.deliveryId)
  if (attempts.length === 0) return null
  return (
    <section class="attempt-list" aria-label="Attempts">
      <h3>Attempts</h3>
      {attempts.map((attempt, index) => {
        const { tone, status } = describeEvent(attempt)
        const before = attempts[index - 1]
        return (
          <a
            key={attempt.seq}
            class="attempt"
            href={formatRoute({ screen: 'timeline', id: attempt.seq })}
            aria-current={attempt.seq === event.seq}
          >
            <span>{attempt.attempt}</span>
            <span class="time">
              <Time at={attempt.at} />
            </span>
            <Status tone={tone} status={status} />
            <span class="wait">
              {before === undefined ? 'first try' : `waited ${formatWait(attempt.at, before.at)}`}
            </span>
            <span class="took">
              <TookBar ms={attempt.ms} />
              {formatTook(attempt.ms)}
            </span>
          </a>
        )
      })}
    </section>
  )
}
