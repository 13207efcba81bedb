import { computed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { currentEntry } from '../data/current-entry.ts'
import { formatShortDuration, formatTook, plural } from '../../server/contract/format/values.ts'
import type { EventView } from '../../server/contract/views.ts'
import type { EventWithExchange } from '../data/data-source.ts'
import { attemptsOf } from '../data/attempts.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { isNarrow } from '../browser/media.ts'
import { storedChoice } from '../browser/local-storage.ts'
import { createResource } from '../data/resource.ts'
import { route } from '../browser/route.ts'
import { canLoad, log } from '../data/session.ts'
import { Icon } from '../components/icon.tsx'
import { MenuButton } from '../components/menu-button.tsx'
import { Segmented } from '../components/segmented.tsx'
import { StatusMark } from '../components/status.tsx'
import { Time } from '../components/time.tsx'
import { source } from '../data/source.ts'
import { eventText } from '../components/event-text.ts'
import { TookBar } from '../components/took-bar.tsx'
import { candidatesFor } from './candidates.ts'
import { compareExchanges, type ComparedPart } from './compare-exchanges.ts'
import type { Comparison } from './differences.ts'
import { RawDifference } from './raw-difference.tsx'

// Defined before the resource, because the resource may call it at once.
async function load(ids: readonly number[], signal: AbortSignal) {
  return Promise.all(ids.map((id) => source.event(id, signal)))
}

/** The two events, the earlier one first. */
const ids = computed((): readonly number[] => {
  const { id, other } = route.value
  return id === undefined || other === undefined ? [] : [id, other].toSorted((a, b) => a - b)
})

const loaded = createResource(
  (signal) => (ids.value.length === 2 && canLoad() ? load(ids.value, signal) : undefined),
  'clear',
)

/** Two events side by side: their differences, and the names of equal parts. */
export function CompareScreen() {
  const { value } = loaded
  const back = formatRoute({
    screen: 'timeline',
    id: route.value.id,
    query: route.value.query,
    range: route.value.range,
  })
  return (
    <div class="compare">
      <a class="compare-back" href={back}>
        <Icon name="left" />
        Timeline
      </a>
      {value.state === 'loading' && <p class="muted delayed">Loading…</p>}
      {value.state === 'failed' && <p class="error">{value.reason}</p>}
      {value.state === 'loaded' &&
        (value.value[0] && value.value[1] ? (
          <Sides left={value.value[0]} right={value.value[1]} />
        ) : (
          <p>One of these events is not in this journal.</p>
        ))}
    </div>
  )
}

const layout = storedChoice('compare', ['decoded', 'raw'])

interface SidesProps {
  readonly left: EventWithExchange
  readonly right: EventWithExchange
}

function Sides({ left, right }: SidesProps) {
  const { summary, parts, consequences } = compareExchanges(sideOf(left), sideOf(right))
  const count = parts.reduce((sum, { comparison }) => sum + (comparison?.different.length ?? 0), 0)

  return (
    <>
      <header>
        <h2>Compare</h2>
        <p class="compare-summary">{summary}</p>
      </header>
      <div class="compare-row compare-head">
        <div>
          <p class="muted">{count === 1 ? '1 difference' : `${count} differences`}</p>
          <Segmented
            label="How to compare"
            options={[
              ['decoded', 'Decoded'],
              ['raw', 'Raw'],
            ]}
            value={layout.value}
            onValue={(value) => (layout.value = value)}
          />
        </div>
        <Head side={left} other={right.event} />
        <Head side={right} other={left.event} since={left.event.at} />
      </div>
      {layout.value === 'raw' && <RawDifference left={left.exchange} right={right.exchange} />}
      {layout.value === 'decoded' && (
        <>
          {parts.map((part) => (
            <Section key={part.title} {...part}>
              {part.title === 'Result' && <Took left={left.event} right={right.event} />}
            </Section>
          ))}
          <Consequences comparison={consequences} />
        </>
      )}
    </>
  )
}

const sideOf = ({ event, exchange }: EventWithExchange) => ({
  exchange,
  result: currentEntry(event).row.word,
})

function Took({ left, right }: { readonly left: EventView; readonly right: EventView }) {
  const times = [left, right].flatMap((event) => currentEntry(event).row.took ?? [])
  if (times.length < 2) return null
  return (
    <div class="compare-row">
      <span class="name">Took</span>
      {times.map((ms, index) => (
        <span key={index} class="took">
          <TookBar ms={ms} /> {formatTook(ms)}
        </span>
      ))}
    </div>
  )
}

/** Headers that always differ, or that differ because the bodies differ. */
const Consequences = ({ comparison: { different } }: { readonly comparison: Comparison }) =>
  different.length === 0 ? null : (
    <details class="equal">
      <summary>
        {plural(different.length, 'consequence')}: <code>{different.map(({ name }) => name).join(', ')}</code>
      </summary>
      <Differences of={different} />
    </details>
  )

interface HeadProps {
  readonly side: EventWithExchange
  /** The event of the other side. */
  readonly other: EventView
  /** The time of the earlier event. */
  readonly since?: string
}

function Head({ side: { event }, other, since }: HeadProps) {
  const entry = currentEntry(event)
  const { row } = entry
  const { eventIndex } = log.journal.value
  const { lead, rest, reason } = eventText(entry, eventIndex.linkOf(event.payId))
  const candidates = candidatesFor(event, [event.seq, other.seq])
  return (
    <div class="compare-side">
      <p>
        <span class="kind" data-kind={row.kind}>
          <Icon name={row.kind} size={14} />
          {row.kind} {nameOf(event)}
        </span>
        <MenuButton
          label={`Change the ${since === undefined ? 'earlier' : 'later'} event`}
          class="quiet"
          button={
            <>
              Change
              <Icon name="down" size={14} />
            </>
          }
        >
          {candidates.map((candidate) => (
            <Candidate key={candidate.seq} event={candidate} other={other.seq} />
          ))}
          <p class="muted">
            To compare any two events, select one in the timeline, then click the other with Shift.
          </p>
        </MenuButton>
      </p>
      <p>
        <a
          class="time"
          href={formatRoute({
            screen: 'timeline',
            id: event.seq,
            query: route.value.query,
            range: route.value.range,
          })}
        >
          <Time at={event.at} />
        </a>{' '}
        {since !== undefined && (
          <span class="muted">{formatGap(Date.parse(event.at) - Date.parse(since))}</span>
        )}
      </p>
      <p data-reason={reason}>
        <StatusMark {...row} /> <strong class="lead">{lead}</strong> <span class="muted">{rest}</span>
      </p>
    </div>
  )
}

function Candidate({ event, other }: { readonly event: EventView; readonly other: number }) {
  const { row } = currentEntry(event)
  const { query, range } = route.value
  return (
    <a href={formatRoute({ screen: 'timeline', id: event.seq, other, query, range })}>
      <span class="time">
        <Time at={event.at} />
      </span>
      <StatusMark {...row} />
      <span class="muted candidate">
        {event.payId} {nameOf(event) || row.lead}
      </span>
    </a>
  )
}

/** If the clock was set back between the two events, the time is negative. */
const formatGap = (ms: number): string =>
  `${formatShortDuration(Math.abs(ms))} ${ms < 0 ? 'earlier' : 'later'}`

/** Like `attempt 2 of 4`, or `replay of delivery 1`. */
function nameOf(event: EventView): string {
  if (event.type !== 'delivery.attempted') return ''
  const count = attemptsOf(event.deliveryId).length
  if (event.replayOf !== null) return `replay of delivery ${event.replayOf}`
  return count > 1 ? `attempt ${event.attempt} of ${count}` : `attempt ${event.attempt}`
}

interface SectionProps extends ComparedPart {
  readonly children?: ComponentChildren
}

function Section({ title, what, comparison, children }: SectionProps) {
  const { different, equal } = comparison ?? { different: [], equal: [] }
  if (comparison && different.length === 0 && equal.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {!comparison && <p class="muted">Not compared, because a HAR file does not contain the body.</p>}
      <Differences of={different} />
      {children}
      {equal.length > 0 && (
        <details class="equal">
          <summary>
            {equal.length === 1 ? 'equal' : `${equal.length} equal ${what}`}:{' '}
            <code>
              {equal.length === 1 && equal[0]!.name === title
                ? equal[0]!.value.slice(0, MAX_NAMES)
                : equal.map(({ name }) => name).join(', ')}
            </code>
          </summary>
          {equal.map(({ name, value }) => (
            <div key={name} class="compare-row">
              <span class="name">{name}</span>
              <code class="both">{value === '' ? '(empty)' : value.slice(0, MAX_SHOWN)}</code>
            </div>
          ))}
        </details>
      )}
    </section>
  )
}

const Differences = ({ of: differences }: { readonly of: Comparison['different'] }) => (
  <>
    {differences.map(({ name, left, right }) => (
      <div key={name} class="compare-row">
        <span class="name">{name}</span>
        <Value side="left" text={left} />
        <Value side="right" text={right} />
      </div>
    ))}
  </>
)

const MAX_SHOWN = 4_000
const MAX_NAMES = 200

const Value = ({ side, text }: { readonly side: 'left' | 'right'; readonly text: string | undefined }) =>
  text === undefined ? (
    <span class="muted">none</span>
  ) : (
    <span>
      {/* In columns, the side is visible anyway. */}
      <span class={isNarrow.value ? 'side' : 'visually-hidden'}>
        {side === 'left' ? 'before: ' : 'after: '}
      </span>
      <code class="value" data-side={side}>
        {text === '' ? '(empty)' : text.slice(0, MAX_SHOWN)}
      </code>
    </span>
  )
