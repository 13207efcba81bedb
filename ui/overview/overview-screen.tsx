import { shortUrl } from '../../server/contract/format/describe-event.ts'
import { describeReliance, HOW_TO_READ } from '../../server/contract/format/describe-run.ts'
import { formatAmount, formatCount, formatTook, plural } from '../../server/contract/format/values.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { textsOfOpenPoints } from '../data/open-point-texts.ts'
import { connection, log } from '../data/session.ts'
import { verdict } from '../data/verdict.ts'
import { workInSlices } from '../search/slices.ts'
import type { EventView } from '../../server/contract/views.ts'
import type { OpenPoint } from '../../server/domain/behaviors/open-points.ts'
import { TextWithPlace } from '../components/code-place.tsx'
import { ReplayButton } from '../components/replay-button.live.tsx'
import { Icon } from '../components/icon.tsx'
import { lazy } from '../components/lazy.tsx'
import { Time } from '../components/time.tsx'
import { TextWithFlags } from '../components/text-with-flags.tsx'
import { logShare } from '../components/took-bar.tsx'
import { ChangeLink, Decisions, MapHostLink, TimeChoice } from './decisions.live.tsx'
import { List, Row } from './list.tsx'
import { since } from './time-span.ts'
import { summarize, type FindingSummary, type ReceiverSummary, type Summary } from './summarize.ts'

const Strip = lazy(async () => (await import('../timeline/strip.tsx')).TimeStrip, 'empty')

const { shown: summary } = workInSlices(
  () => ({ query: since.value, items: log.journal.value }),
  function* (from, { entries, eventIndex }) {
    const events: EventView[] = []
    for (const { event } of entries) {
      if (event.at >= from) events.push(event)
      yield
    }
    return yield* summarize({
      events,
      payments: [...eventIndex.payments.values()].filter(({ link }) => link.createdAt >= from),
      webhooksOf: eventIndex.webhooksOfPayment,
      listenerAnswerOf: eventIndex.listenerAnswerOf,
      eventsOf: eventIndex.eventsOfPayment,
    })
  },
)

const timeline = (query: string) => formatRoute({ screen: 'timeline', query })

/** Figures, findings by cause and receivers of the run. Each figure is a link that sets the filter. */
export function OverviewScreen() {
  const run = summary.value
  return (
    <div class="overview">
      <header>
        <h2>Overview</h2>
        <p class="muted">
          {run.since === undefined ? (
            'No events yet.'
          ) : (
            <>
              Since <Time at={run.since} style="ticking" />. Select a figure to see its events.
            </>
          )}
        </p>
        <TimeChoice />
      </header>
      <VerdictSection />
      <Figures run={run} />
      <div class="strip-place">{run.since !== undefined && <Strip />}</div>
      <div class="overview-columns">
        <Findings causes={run.causes} />
        <div class="overview-aside">
          <Receivers receivers={run.receivers} />
          <RejectedCalls run={run} />
          <Decisions run={run} />
        </div>
        <OpenPoints run={run} />
      </div>
    </div>
  )
}

const verdictIcons = { ok: 'ok', err: 'close', plain: 'stored' } as const

/** Whether all payments have reached the app. If not, why, and what to do. */
function VerdictSection() {
  const { headline, reason, remedy, tone, causes } = verdict.value
  const replays = causes.flatMap(({ deliveryIds }) => deliveryIds)
  const place = causes[0]?.place
  return (
    <section class="verdict" data-tone={tone} aria-label="Verdict">
      <h3>
        <Icon name={verdictIcons[tone]} size={20} />
        {headline}
      </h3>
      {reason !== '' && (
        <p>
          <TextWithPlace text={reason} place={place} />
        </p>
      )}
      {remedy !== '' && (
        <p>
          <TextWithPlace text={remedy} place={place} />
        </p>
      )}
      {causes.length > 0 && (
        <p class="verdict-actions">
          {replays.length > 0 && <ReplayButton deliveryIds={replays} />}
          {causes[0]!.deliveryIds.length === 0 && <MapHostLink />}
          <a class="button" href={formatRoute({ screen: 'payments', query: 'is:missed' })}>
            Show {causes.length === 1 && causes[0]!.payIds.length === 1 ? 'the payment' : 'these payments'}
          </a>
        </p>
      )}
    </section>
  )
}

function Figures({ run }: { readonly run: Summary }) {
  return (
    <ul class="figures">
      <Figure
        name="Payments"
        value={run.payments}
        href={formatRoute({ screen: 'payments' })}
        text={`${formatAmount(run.paidAmount)} paid by ${formatCount(run.paid)}`}
      />
      <Figure
        name="Webhook attempts"
        value={run.attempts}
        href={timeline('kind:webhook')}
        text={`${formatCount(run.deliveredFirst)} at the first try${run.stored === 0 ? '' : `, ${formatCount(run.stored)} stored in a tunnel`}`}
      />
      <Figure
        name="Failed attempts"
        value={run.failedAttempts}
        tone="err"
        href={timeline('kind:webhook is:failed,retried')}
        text={`of ${plural(run.attempts, 'attempt')}`}
      />
      <Figure
        name="Held"
        value={run.held}
        tone="warn"
        href={timeline('is:held')}
        text={run.heldHosts.length === 0 ? 'no webhook waits' : run.heldHosts.join(', ')}
      />
      <Figure
        name="Refused calls"
        value={run.rejected}
        tone="err"
        href={timeline('kind:api is:failed')}
        text={`of ${plural(run.calls, 'call')}`}
      />
    </ul>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: number
  readonly href: string
  readonly text: string
  readonly tone?: 'err' | 'warn'
}

const Figure = ({ name, value, href, text, tone }: FigureProps) => (
  <li>
    <a href={href}>
      <span class="muted">{name}</span>
      <b data-tone={value > 0 ? tone : undefined}>{formatCount(value)}</b>
      <span class="muted small">{text}</span>
    </a>
  </li>
)

function Findings({ causes }: { readonly causes: readonly FindingSummary[] }) {
  const hints = causes.filter(({ severity }) => severity === 'hint')
  const others = causes.filter(({ severity }) => severity !== 'hint')
  const errors = others.filter(({ severity }) => severity === 'error').length
  const counts = [
    plural(errors, 'error'),
    plural(others.length - errors, 'warning'),
    plural(hints.length, 'hint'),
  ]
  return (
    <List title="Findings by cause" aside={counts.join(', ')}>
      {causes.length === 0 && <p class="muted nothing">Nothing found.</p>}
      <ul class="causes">
        {others.map((cause) => (
          <CauseItem key={`${cause.code} ${cause.title}`} cause={cause} />
        ))}
      </ul>
      {hints.length > 0 && (
        <details class="hints">
          <summary>
            {plural(hints.length, 'hint')}{' '}
            <span class="muted">{hints.map(({ title }) => title).join(', ')}</span>
          </summary>
          <ul class="causes">
            {hints.map((cause) => (
              <CauseItem key={`${cause.code} ${cause.title}`} cause={cause} />
            ))}
          </ul>
        </details>
      )}
    </List>
  )
}

function CauseItem({ cause }: { readonly cause: FindingSummary }) {
  const { code, severity, title, fix, events, places, payments, deliveredLater } = cause
  const where = [
    places.join(', '),
    payments > 0 && plural(payments, 'payment'),
    deliveredLater > 0 && `${deliveredLater} delivered later`,
  ]
  return (
    <li data-severity={severity}>
      <Icon name={severity === 'error' ? 'close' : severity === 'warning' ? 'diagnostic' : 'plain'} />
      <div>
        <h4>
          <span class="visually-hidden">{severity}: </span>
          {title}
        </h4>
        <p>
          <TextWithFlags text={fix} />
        </p>
        <p class="muted where">{where.filter(Boolean).join(' · ')}</p>
      </div>
      <a href={timeline(code)}>{plural(events, 'event')}</a>
    </li>
  )
}

function Receivers({ receivers }: { readonly receivers: readonly ReceiverSummary[] }) {
  return (
    <List title="Receivers" name="receivers" aside="slowest first, bars from p50 to p95">
      {receivers.length === 0 && <p class="muted nothing">No webhook was sent.</p>}
      {receivers.length > 0 && (
        <table class="receivers">
          <thead>
            <tr>
              <th scope="col">
                Receiver
                <BarAxis />
              </th>
              <th scope="col">Attempts</th>
              <th scope="col">Failed</th>
              <th scope="col">p50</th>
              <th scope="col">p95</th>
            </tr>
          </thead>
          <tbody>
            {receivers.map(({ target, attempts, failed, p50, p95 }) => (
              <tr key={target}>
                <th scope="row">
                  <a href={timeline(`kind:webhook path:${shortUrl(target)}`)} title={target}>
                    {shortUrl(target)}
                  </a>
                  {p50 !== null && p95 !== null && <RangeBar p50={p50} p95={p95} />}
                </th>
                <td>{formatCount(attempts)}</td>
                <td data-tone={failed > 0 ? 'err' : undefined}>{formatCount(failed)}</td>
                {p50 === null || p95 === null ? (
                  <td colSpan={2} class="muted">
                    no answer
                  </td>
                ) : (
                  <>
                    <td>{formatTook(p50)}</td>
                    <td data-tone={p95 >= 1_000 ? 'warn' : undefined}>{formatTook(p95)}</td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </List>
  )
}

/** The marks of the logarithmic scale of the bars. */
const AXIS = [
  [1, '1 ms'],
  [100, '100 ms'],
  [10_000, '10 s'],
] as const

const BarAxis = () => (
  <span class="bar-axis" aria-hidden="true">
    {AXIS.map(([ms, text]) => (
      <span key={ms} style={{ left: `${logShare(ms)}%` }}>
        {text}
      </span>
    ))}
  </span>
)

const RangeBar = ({ p50, p95 }: { readonly p50: number; readonly p95: number }) => (
  <span class="range-bar" aria-hidden="true" data-tone={p95 >= 1_000 ? 'warn' : 'ok'}>
    <span style={{ left: `${logShare(p50)}%`, width: `${Math.max(1, logShare(p95) - logShare(p50))}%` }} />
    <i style={{ left: `${logShare(p50)}%` }} />
  </span>
)

const RejectedCalls = ({ run }: { readonly run: Summary }) => (
  <List
    title="Refused calls"
    aside={run.rejected > 0 && <a href={timeline('kind:api is:failed')}>Show {formatCount(run.rejected)}</a>}
  >
    {run.rejected === 0 && <p class="muted nothing">No call was refused.</p>}
    <ul>
      {run.rejectedCalls.map(({ message, count }) => (
        <Row key={message} name={message} value={formatCount(count)} />
      ))}
    </ul>
  </List>
)

/** The open points that this traffic depends on, with what to do about each. */
function OpenPoints({ run: { assumptions } }: { readonly run: Summary }) {
  const texts: Readonly<Partial<Record<string, OpenPoint>>> = textsOfOpenPoints()
  return (
    <List title="What your integration relies on" name="relies-on" aside="events">
      <p class="muted nothing">{describeReliance(assumptions)}</p>
      <ul>
        {assumptions.map(([name, events]) => (
          <Row
            key={name}
            name={
              <details class="relied">
                <summary>
                  <code>{name}</code>: {texts[name]?.reference}
                </summary>
                <p>
                  {texts[name]?.assumption} <ChangeLink point={name} />
                </p>
              </details>
            }
            value={formatCount(events)}
          />
        ))}
      </ul>
      {connection.value === 'report' && assumptions.length > 0 && <p class="muted nothing">{HOW_TO_READ}</p>}
    </List>
  )
}
