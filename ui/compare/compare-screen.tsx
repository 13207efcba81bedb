import { computed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { describeEvent } from '../../server/format/describe-event.ts'
import { formatAgo, formatTook } from '../../server/format/values.ts'
import type { Body, Headers } from '../../server/domain/http/exchange.ts'
import type { EventWithExchange } from '../data-source.ts'
import { fieldsOf } from '../details/body-fields.ts'
import { isForm } from '../details/body-text.ts'
import { formatRoute } from '../hash-route.ts'
import { createResource } from '../resource.ts'
import { route } from '../route.ts'
import { canLoad } from '../session.ts'
import { Icon } from '../shell/icon.tsx'
import { Status } from '../shell/status.tsx'
import { Time } from '../shell/time.tsx'
import { source } from '../source.ts'
import { TookBar } from '../timeline/took-bar.tsx'
import { compareLists, type Comparison } from './differences.ts'

// Defined before the resource, which may load immediately.
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

/** Two events side by side: what differs, and the names of what is equal. */
export function CompareScreen() {
  const { value } = loaded
  const back = formatRoute({ screen: 'timeline', id: route.value.id, query: route.value.query })
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

interface SidesProps {
  readonly left: EventWithExchange
  readonly right: EventWithExchange
}

function Sides({ left, right }: SidesProps) {
  const [one, other] = [left.exchange, right.exchange]
  const status = compareLists([['Status', statusOf(left)]], [['Status', statusOf(right)]])
  const address = compareLists([['Address', addressOf(left)]], [['Address', addressOf(right)]])
  const fields = compareLists(bodyFields(one?.request), bodyFields(other?.request))
  const sent = compareLists(lowerCase(one?.request.headers), lowerCase(other?.request.headers))
  const received = compareLists(lowerCase(one?.response?.headers), lowerCase(other?.response?.headers))
  const body = compareLists(
    [['Body', one?.response?.body.content ?? '']],
    [['Body', other?.response?.body.content ?? '']],
  )
  const count = [status, address, fields, sent, received, body].reduce(
    (sum, { different }) => sum + different.length,
    0,
  )
  const [tookLeft, tookRight] = [describeEvent(left.event).took, describeEvent(right.event).took]

  return (
    <>
      <div class="compare-row compare-head">
        <div>
          <h2>Compare</h2>
          <p class="muted">{count === 1 ? '1 difference' : `${count} differences`}</p>
        </div>
        <Head side={left} />
        <Head side={right} since={left.event.at} />
      </div>
      <Section title="Result" comparison={status} what="values">
        {tookLeft !== null && tookRight !== null && (
          <div class="compare-row">
            <span>Took</span>
            <span class="took">
              <TookBar ms={tookLeft} /> {formatTook(tookLeft)}
            </span>
            <span class="took">
              <TookBar ms={tookRight} /> {formatTook(tookRight)}
            </span>
          </div>
        )}
      </Section>
      <Section title="Address" comparison={address} what="addresses" />
      <Section title="Fields sent" comparison={fields} what="fields" />
      <Section title="Headers sent" comparison={sent} what="headers" />
      <Section title="Headers received" comparison={received} what="headers" />
      <Section title="Answer" comparison={body} what="bodies" />
    </>
  )
}

function Head({ side: { event }, since }: { readonly side: EventWithExchange; readonly since?: string }) {
  const row = describeEvent(event)
  return (
    <div>
      <p class="kind" data-kind={row.kind}>
        <Icon name={row.kind} size={14} />
        {row.kind}
        {'attempt' in event && ` attempt ${event.attempt}`}
      </p>
      <p>
        <a class="time" href={formatRoute({ screen: 'timeline', id: event.seq })}>
          <Time at={event.at} />
        </a>{' '}
        {since !== undefined && (
          <span class="muted">{formatAgo(since, Date.parse(event.at)).replace(/ ago$/, ' later')}</span>
        )}
      </p>
      <p>
        <Status {...row} /> {row.message}
      </p>
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly comparison: Comparison
  /** The plural of what is compared. */
  readonly what: string
  readonly children?: ComponentChildren
}

function Section({ title, comparison: { different, equal }, what, children }: SectionProps) {
  if (different.length === 0 && equal.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {different.map(({ name, left, right }) => (
        <div key={name} class="compare-row">
          <span class="name">{name}</span>
          <Value side="left" text={left} />
          <Value side="right" text={right} />
        </div>
      ))}
      {children}
      {equal.length > 0 && (
        <p class="muted equal">
          {equal.length === 1 ? 'equal' : `${equal.length} equal ${what}`}: {equal.join(', ')}
        </p>
      )}
    </section>
  )
}

const MAX_SHOWN = 4_000

const Value = ({ side, text }: { readonly side: 'left' | 'right'; readonly text: string | undefined }) =>
  text === undefined ? (
    <span class="muted">none</span>
  ) : (
    <span>
      <span class="visually-hidden">{side === 'left' ? 'before: ' : 'after: '}</span>
      <code class="value" data-side={side}>
        {text === '' ? '(empty)' : text.slice(0, MAX_SHOWN)}
      </code>
    </span>
  )

const statusOf = ({ event }: EventWithExchange): string => describeEvent(event).status.replace(/^\S+ /, '')

const addressOf = ({ exchange }: EventWithExchange): string =>
  exchange ? `${exchange.request.method} ${exchange.request.url}` : ''

const lowerCase = (headers: Headers = []) =>
  headers.map(([name, value]) => [name.toLowerCase(), value] as const)

/** The fields of a body, or the whole body if it has none. */
function bodyFields(request: { readonly headers: Headers; readonly body: Body } | undefined) {
  if (!request) return []
  const fields = fieldsOf(request.body.content, isForm(request.headers))
  return fields.length > 0 ? fields : [['Body', request.body.content] as const]
}
