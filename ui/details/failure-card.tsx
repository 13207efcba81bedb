import type { EventView } from '../../server/contract/views.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { Icon } from '../components/icon.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { GuideLink } from '../components/guide-link.tsx'
import { Time } from '../components/time.tsx'
import { TextWithPlace } from '../components/code-place.tsx'
import { TextWithFlags } from '../components/text-with-flags.tsx'
import { actionsFor } from './actions.ts'
import { failureOf } from './failure.ts'
import { MapHost } from './map-host.tsx'

interface Props {
  readonly event: EventView
  /** Shows only the title and the buttons, to make room for the bytes. */
  readonly isFolded: boolean
}

/** The first thing in the details of a failed, held or stored event: the cause, what to do, and the button for it. */
export function FailureCard({ event, isFolded }: Props) {
  const failure = failureOf(event)
  if (!failure) return null
  const { tone, title, text, place, nextAttemptAt, deliveredBy, fix, command, finding, held } = failure
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
        {deliveredBy !== undefined && (
          <>
            {' '}
            Your app got this webhook later, in{' '}
            <a href={formatRoute({ screen: 'timeline', id: deliveredBy })}>event {deliveredBy}</a>.
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
      {CAN_ACT && tone !== 'plain' && (held ? <MapHost event={held} /> : <MainActions event={event} />)}
    </section>
  )
}

function MainActions({ event }: { readonly event: EventView }) {
  const actions = actionsFor(event)
  const main = actions.find(({ isMain }) => isMain)
  const second = actions.find(({ isSecond }) => isSecond)
  if (!main) return null
  return (
    <div class="failure-actions">
      <button type="button" class="primary" aria-keyshortcuts={main.key} onClick={() => void main.run()}>
        {main.label}
        {main.key !== undefined && <kbd aria-hidden="true">{main.key}</kbd>}
      </button>
      {second && (
        <button type="button" class="link" aria-keyshortcuts={second.key} onClick={() => void second.run()}>
          {second.label}
        </button>
      )}
    </div>
  )
}
