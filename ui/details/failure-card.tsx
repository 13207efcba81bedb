import type { EventView } from '../../server/contract/views.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { Icon } from '../components/icon.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { GuideLink } from '../components/guide-link.live.tsx'
import { Time } from '../components/time.tsx'
import { TextWithPlace } from '../components/code-place.tsx'
import { TextWithFlags } from '../components/text-with-flags.tsx'
import { FailureActions } from './failure-actions.live.tsx'
import { failureOf } from './failure.ts'

interface Props {
  readonly event: EventView
  /** Shows only the title and the buttons, to make room for the bytes. */
  readonly isFolded: boolean
}

/** The first part of the details of a failed, held or stored event: the cause, what to do, and a button for it. */
export function FailureCard({ event, isFolded }: Props) {
  const failure = failureOf(event)
  if (!failure) return null
  const { tone, title, text, place, nextAttemptAt, arrival, fix, command, finding, held } = failure
  return (
    <section class="failure" data-tone={tone} data-folded={isFolded} aria-label="Cause and remedy">
      <h3>
        <Icon name={tone === 'plain' ? 'stored' : tone === 'err' ? 'close' : held ? 'pause' : 'retry'} />
        {title}
      </h3>
      <p class="explanation">
        <TextWithPlace text={text} place={place} />
        {nextAttemptAt && (
          <>
            {' '}
            The next attempt is due at <Time at={nextAttemptAt} style="since" />.
          </>
        )}
        {arrival && (
          <>
            {' '}
            Your app got this webhook {arrival.seq > event.seq ? 'later' : 'before'}
            {arrival.deliveredTo !== undefined && ' at another address'}, in{' '}
            <a href={formatRoute({ screen: 'timeline', id: arrival.seq })}>event {arrival.seq}</a>.
          </>
        )}
      </p>
      {fix !== undefined && (
        <>
          <h4>What to do</h4>
          <p>
            <TextWithFlags text={fix} />
            {finding && <GuideLink page="diagnostics" about="diagnostics" />}
          </p>
        </>
      )}
      {command !== undefined && (
        <p class="copyable">
          <code>
            <TextWithFlags text={command} />
          </code>
          <CopyButton text={command} what="the command" />
        </p>
      )}
      {tone !== 'plain' && <FailureActions event={event} held={held} />}
    </section>
  )
}
