import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatAgo, formatAmount } from '../../server/format/values.ts'
import { formatRoute } from '../hash-route.ts'
import { now } from '../clock.ts'
import type { Payment } from '../payments/payment.ts'
import { blockedReason } from '../payments/possible-actions.ts'
import { choices, type ReviewItem } from './review-item.ts'
import { decide, selectItem } from './review-list.ts'

const titles = { transfer: 'Bank transfer', refund: 'Refund', dispute: 'Dispute' } as const

const startWords = { transfer: 'announced', refund: 'asked', dispute: 'opened' } as const

const consequences = {
  transfer:
    'Approving sends the webhook, and the page that waits goes back to the shop. Rejecting sends none: the link can be paid again.',
  refund: 'Neither approving nor rejecting sends a webhook. It is the only refund this payment can have.',
  dispute:
    'In our favour: we keep the money, and a refund is possible. Lost: the customer has it back, and refunds stay blocked. Neither sends a webhook.',
} as const

interface Props {
  readonly item: ReviewItem
  readonly isSelected: boolean
}

export function ReviewCard({ item, isSelected }: Props) {
  const { key, kind, since, payment } = item
  const { approve, reject } = choices[kind]
  const { payId, note } = payment.link
  const objection = blockedReason(approve.action, payment)
  const element = useRef<HTMLElement>(null)

  // The focus goes with the selection, unless it is inside already or somewhere else on the page.
  useLayoutEffect(() => {
    const { activeElement, body } = document
    const isElsewhere = activeElement !== body && !activeElement?.closest('.review')
    if (isSelected && !isElsewhere && !element.current!.contains(activeElement)) element.current!.focus()
  }, [isSelected])

  return (
    <article
      ref={element}
      class="card"
      tabIndex={-1}
      aria-labelledby={key}
      {...(isSelected ? { 'aria-current': true } : {})}
      onFocusIn={() => selectItem(item)}
      onPointerDown={() => selectItem(item)}
    >
      <h3 id={key}>
        {titles[kind]} <a href={formatRoute({ screen: 'payments', id: payId })}>{payId}</a>{' '}
        <span class="figure">{amountOf(kind, payment)}</span>{' '}
        <span class="muted">
          {startWords[kind]} {formatAgo(since, now.value)}
        </span>
      </h3>
      {note !== '' && <p>{note}</p>}
      <p class="muted">{consequences[kind]}</p>
      {objection !== null && <p>{objection}.</p>}
      <div class="actions">
        <button
          type="button"
          class="primary"
          aria-keyshortcuts="a"
          disabled={objection !== null}
          onClick={() => decide('approve', item)}
        >
          {approve.label}
          {isSelected && <kbd aria-hidden="true">a</kbd>}
        </button>
        <button type="button" aria-keyshortcuts="x" onClick={() => decide('reject', item)}>
          {reject.label}
          {isSelected && <kbd aria-hidden="true">x</kbd>}
        </button>
      </div>
    </article>
  )
}

const amountOf = (kind: ReviewItem['kind'], { link, refund }: Payment): string =>
  kind === 'refund' && refund
    ? `${formatAmount(refund.amount)} of ${formatAmount(link.amount)}`
    : formatAmount(link.amount)
