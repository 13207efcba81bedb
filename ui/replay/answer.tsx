import { joinParts } from '../../server/contract/format/describe-event.ts'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { DeliveryView } from '../../server/contract/views.ts'
import type { Exchange } from '../../server/domain/http/exchange.ts'
import { currentEntry } from '../data/current-entry.ts'
import { formatAmount, formatTook } from '../../server/contract/format/values.ts'
import { isStored } from '../../server/domain/webhooks/delivery.ts'
import { withErrorToast } from '../data/api.ts'
import { attemptsOf } from '../data/attempts.ts'
import { isForm, prettyBody } from '../components/body-text.ts'
import { resultOf } from './delivery-result.ts'
import { JsonTokens } from '../components/json-tokens.tsx'
import { formatRoute } from '../browser/hash-route.ts'
import { log } from '../data/session.ts'
import { Icon } from '../components/icon.tsx'
import { StatusMark } from '../components/status.tsx'
import { Time } from '../components/time.tsx'
import { source } from '../data/source.ts'
import { TookBar } from '../components/took-bar.tsx'
import { editableFields } from './editable-fields.ts'
import { findField } from './webhook-field.ts'

interface Props {
  readonly title: string
  /** The delivery that was sent. */
  readonly deliveryId: number
  readonly original: DeliveryView
}

const MAX_SHOWN = 4_000

/** What the receiver answered to a webhook that the editor sent. */
export function DeliveryAnswer({ title, deliveryId, original }: Props) {
  const exchange = useSignal<Exchange | null | undefined>(undefined)
  const result = resultOf(deliveryId)
  const seq = result?.seq
  const element = useRef<HTMLElement>(null)

  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [exchange.value])

  useEffect(() => {
    if (seq === undefined) return undefined
    const loading = new AbortController()
    void withErrorToast(async () => {
      exchange.value = (await source.event(seq, loading.signal))?.exchange
    }).catch((error: unknown) => {
      if (!loading.signal.aborted) throw error
    })
    return () => loading.abort()
  }, [seq])

  if (!result) return <p class="muted">Delivery {deliveryId} was sent. Waiting for the response…</p>

  const { lead, rest, ...status } = currentEntry(result).row
  const before = attemptsOf(original.id).at(-1)
  const response = exchange.value?.response
  const pretty = response && prettyBody(response.headers, response.body)
  const isAnswered = !(result.type === 'delivery.attempted' && isStored(result))
  const warning = exchange.value && isAnswered ? forgeryWarning(exchange.value, original) : undefined
  return (
    <article ref={element} class="answer">
      <div class="section-head">
        <h3>{title}</h3>
        {before && (
          <a href={formatRoute({ screen: 'timeline', id: before.seq, other: result.seq })}>
            Compare with attempt {before.attempt}
          </a>
        )}
      </div>
      <div class="answer-line">
        <StatusMark {...status} />
        <span class="time muted">
          <Time at={result.at} />
        </span>
        {result.type === 'delivery.attempted' && (
          <span class="took">
            <TookBar ms={result.ms} />
            {formatTook(result.ms)}
          </span>
        )}
        <a href={formatRoute({ screen: 'timeline', id: result.seq })}>Event {result.seq}</a>
      </div>
      {(!response || !isAnswered) && <p>{joinParts(lead, rest)}</p>}
      {response &&
        isAnswered &&
        (response.body.size === 0 ? (
          <p class="muted">No body.</p>
        ) : (
          <pre class="body">
            {pretty ? <JsonTokens tokens={pretty} /> : response.body.content.slice(0, MAX_SHOWN)}
          </pre>
        ))}
      {warning !== undefined && <Warning title={warning}>Check that it did not fulfill the order.</Warning>}
    </article>
  )
}

interface WarningProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** A sentence about an answer, and what to check. */
export const Warning = ({ title, children }: WarningProps) => (
  <p class="warning">
    <Icon name="diagnostic" />
    <span>
      <strong>{title}</strong> {children}
    </span>
  </p>
)

/** A warning if the receiver has accepted a webhook that is not the payment of the original. Otherwise `undefined`. */
function forgeryWarning({ request, response }: Exchange, { payId }: DeliveryView): string | undefined {
  if (!response || response.status < 200 || response.status > 299) return undefined
  const fields = editableFields(request.body.content, isForm(request.headers))
  const [amount, paid, status] = (['amount', 'pay_id', 'status'] as const).map(
    (name) => findField(fields, name)?.value,
  )
  if (status?.toLowerCase() !== 'success') return undefined
  const link = log.journal.value.eventIndex.linkOf(payId)
  const answer = `Your app answered ${response.status} to`
  if (amount !== undefined && link && Number(amount) !== link.amount) {
    const euros = Number(amount)
    const text = amount.trim() === '' || Number.isNaN(euros) ? `the amount “${amount}”` : formatAmount(euros)
    return `${answer} ${text} for an order of ${formatAmount(link.amount)}.`
  }
  return paid === undefined || paid === String(payId)
    ? undefined
    : `${answer} payment ${paid}, but this webhook belongs to payment ${payId}.`
}
