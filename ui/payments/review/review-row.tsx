import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatAmount } from '../../../server/contract/format/values.ts'
import { formatRoute } from '../../browser/hash-route.ts'
import type { Payment } from '../../data/payment.ts'
import { blockedReason } from '../../data/possible-actions.ts'
import { choices, type ReviewItem } from '../../data/review-item.ts'
import { Time } from '../../components/time.tsx'
import { decide, selectItem } from './review-list.ts'

const titles = { transfer: 'Bank transfer', refund: 'Refund', dispute: 'Dispute' } as const

interface Props {
  readonly item: ReviewItem
  readonly isSelected: boolean
}

/** One decision in one line, with its buttons at the right. */
export function ReviewRow({ item, isSelected }: Props) {
  const { key, kind, since, payment } = item
  const { approve, reject } = choices[kind]
  const { payId, note } = payment.link
  const blocked = blockedReason(approve.action, payment)
  const element = useRef<HTMLElement>(null)

  // The focus follows the selection, unless the focus is already in this row or outside of the list.
  useLayoutEffect(() => {
    const { activeElement, body } = document
    const isElsewhere = activeElement !== body && !activeElement?.closest('.review')
    if (isSelected && !isElsewhere && !element.current!.contains(activeElement)) element.current!.focus()
  }, [isSelected])

  return (
    <article
      ref={element}
      tabIndex={-1}
      aria-labelledby={key}
      {...(isSelected ? { 'aria-current': true } : {})}
      onFocusIn={() => selectItem(item)}
      onPointerDown={() => selectItem(item)}
    >
      <h3 id={key}>
        {titles[kind]} <a href={formatRoute({ screen: 'payments', id: payId })}>{payId}</a>{' '}
        <span>{amountOf(kind, payment)}</span>
      </h3>
      <p class="review-note">
        <bdi>{note}</bdi>{' '}
        <span class="muted">
          <Time at={since} style="ago" />
        </span>
        {blocked !== null && <span class="blocked">{blocked}.</span>}
      </p>
      <div class="actions">
        <button
          type="button"
          class="primary"
          aria-keyshortcuts="a"
          disabled={blocked !== null}
          onClick={() => decide('approve', item)}
        >
          {approve.label}
          {isSelected && <kbd aria-hidden="true">a</kbd>}
        </button>
        <button
          type="button"
          class="danger-text"
          aria-keyshortcuts="x"
          onClick={() => decide('reject', item)}
        >
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
