import { currentEntry } from '../data/current-entry.ts'
import { formatTook } from '../../server/contract/format/values.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { StatusMark } from '../components/status.tsx'
import { Time } from '../components/time.tsx'
import { formatWait } from '../../server/contract/format/describe-event.ts'
import { TookBar } from '../components/took-bar.tsx'
import { attemptsOf } from '../data/attempts.ts'
import type { DeliveryEvent } from '../data/event-index.ts'
import { SentBytes } from './sent-bytes.live.tsx'

/** The attempts of a delivery with the time between them. Each is a link to its event. */
export function AttemptList({ event }: { readonly event: DeliveryEvent }) {
  const attempts = attemptsOf(event.deliveryId)
  if (attempts.length === 0) return null
  return (
    <section class="attempt-list" aria-label="Attempts">
      <h3>Attempts</h3>
      {attempts.map((attempt, index) => {
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
            <StatusMark {...currentEntry(attempt).row} />
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
      <SentBytes />
    </section>
  )
}
