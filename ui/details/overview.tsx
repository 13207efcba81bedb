import { joinParts } from '../../server/contract/format/describe-event.ts'
import type { EventView, InvoiceView } from '../../server/contract/views.ts'
import { accountName } from '../data/accounts.ts'
import { currentEntry } from '../data/current-entry.ts'
import { formatTook, formatAmount } from '../../server/contract/format/values.ts'
import { Time } from '../components/time.tsx'
import { lazy } from '../components/lazy.tsx'
import { StatusMark } from '../components/status.tsx'
import { Fact } from './fact.tsx'
import { failureOf } from './failure.ts'

const DeliveryFacts = lazy(async () => (await import('./delivery-facts.tsx')).DeliveryFacts, 'empty')
const AttemptList = lazy(async () => (await import('./attempt-list.tsx')).AttemptList, 'empty')
const SentFields = lazy(async () => (await import('./sent-fields.tsx')).SentFields, 'empty')
const HeldReason = lazy(async () => (await import('./delivery-facts.tsx')).HeldReason, 'empty')
const Differences = lazy(async () => (await import('./differences.tsx')).Differences, 'empty')
const FindingFacts = lazy(async () => (await import('./findings.tsx')).FindingFacts, 'empty')
const Assumptions = lazy(async () => (await import('./assumptions.tsx')).Assumptions, 'empty')

export function Overview({ event }: { readonly event: EventView }) {
  const { row } = currentEntry(event)
  return (
    <>
      {'deliveryId' in event && <AttemptList event={event} />}
      <SentFields event={event} />
      <section aria-label="Facts">
        <h3>Facts</h3>
        <dl class="facts">
          {!failureOf(event) && (
            <Fact name="Result">
              <StatusMark {...row} />{' '}
              {event.type === 'delivery.held' ? (
                <HeldReason event={event} />
              ) : (
                !('script' in event) && joinParts(row.lead, row.rest)
              )}
            </Fact>
          )}
          {'script' in event && <Fact name="Fault">{row.rest}</Fact>}
          <Fact name="Time">
            <Time at={event.at} style="full" />{' '}
            <span class="muted">
              <Time at={event.at} style="ago" />
            </span>
          </Fact>
          {row.took !== null && <Fact name="Took">{formatTook(row.took)}</Fact>}
          {'processingMs' in event && event.processingMs !== undefined && event.processingMs < event.ms && (
            <Fact name="Processing">{formatTook(event.processingMs)}</Fact>
          )}
          {'operation' in event && (
            <Fact name="Call">
              {event.method} {event.path}
            </Fact>
          )}
          {event.type === 'check.sent' && event.check !== null && <Fact name="Case">{event.check}</Fact>}
          {'upstream' in event && <Fact name="Upstream">{event.upstream}</Fact>}
          {'location' in event && <Fact name="Location">{event.location}</Fact>}
          {'mappedFrom' in event && <Fact name="Mapped from">{event.mappedFrom}</Fact>}
          {event.accountId !== null && <Fact name="Account">{accountName(event.accountId)}</Fact>}
          {event.type === 'clock.changed' && (
            <Fact name="Before">
              <Time at={event.from} style="full" />
            </Fact>
          )}
          {event.type === 'invoice.issued' && <InvoiceFacts invoice={event.invoice} />}
          {'deliveryId' in event && <DeliveryFacts event={event} />}
          <Fact name="Event">
            {event.type} · {event.seq}
          </Fact>
        </dl>
      </section>
      {event.type === 'redirect.sent' && (
        <p class="note">
          A redirect proves nothing, because anyone can open its address. Rely on the webhook.
        </p>
      )}
      {'differences' in event && <Differences event={event} />}
      <FindingFacts event={event} />
      <Assumptions event={event} />
    </>
  )
}

function InvoiceFacts({ invoice }: { readonly invoice: InvoiceView }) {
  const { invoiceId, platformFee, pspFee, vat } = invoice
  return (
    <>
      <Fact name="Invoice">{invoiceId}</Fact>
      <Fact name="Platform fee">{formatAmount(platformFee)}</Fact>
      <Fact name="Provider fee">{formatAmount(pspFee)}</Fact>
      <Fact name="VAT">{formatAmount(vat)}</Fact>
    </>
  )
}
