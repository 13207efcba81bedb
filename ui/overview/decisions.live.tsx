import { formatAmount, plural } from '../../server/contract/format/values.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { Segmented } from '../components/segmented.tsx'
import { List, Row } from './list.tsx'
import type { Summary } from './summarize.ts'
import { span, spans } from './time-span.ts'

/** Chooses the time range of the overview. */
export const TimeChoice = () => (
  <Segmented label="Time" options={spans} value={span.value} onValue={(value) => (span.value = value)} />
)

/** A link to the held webhooks, where their host can be mapped. */
export const MapHostLink = () => (
  <a class="button" href={formatRoute({ screen: 'connect', tab: 'held-webhooks' })}>
    Map the host
  </a>
)

/** A link to the behavior of an open point. */
export const ChangeLink = ({ point }: { readonly point: string }) => (
  <a aria-label={`${point} on the Sandbox screen`} href={formatRoute({ screen: 'sandbox', point })}>
    Change
  </a>
)

/** What awaits a decision of the operator. */
export function Decisions({ run: { decisions } }: { readonly run: Summary }) {
  const { transfers, refunds, disputes, transferAmount, otherAmount } = decisions
  const others = [refunds > 0 && plural(refunds, 'refund'), disputes > 0 && plural(disputes, 'dispute')]
  const hasNone = transfers + refunds + disputes === 0
  return (
    <List
      title="Awaiting your decision"
      aside={!hasNone && <a href={formatRoute({ screen: 'payments', tab: 'review' })}>Open Review</a>}
    >
      {hasNone && <p class="muted nothing">Nothing awaits your decision.</p>}
      <ul>
        {transfers > 0 && (
          <Row name={plural(transfers, 'bank transfer')} value={formatAmount(transferAmount)} />
        )}
        {refunds + disputes > 0 && (
          <Row name={others.filter(Boolean).join(', ')} value={formatAmount(otherAmount)} />
        )}
      </ul>
    </List>
  )
}
