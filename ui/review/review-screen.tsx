import { useLayoutEffect, useRef } from 'preact/hooks'
import { describeEvent } from '../../server/contract/format/describe-event.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { connection } from '../data/session.ts'
import { Time } from '../components/time.tsx'
import { decisions, reviewList, selectedItem } from './review-list.ts'
import { ReviewCard } from './review-card.tsx'

/** The items that await a decision of the operator, and the recent decisions. */
export function ReviewScreen() {
  const list = reviewList.value
  const selected = selectedItem.value?.key
  const heading = useRef<HTMLHeadingElement>(null)

  // When the last item disappears, the focus moves to the heading.
  useLayoutEffect(() => {
    if (list.length === 0 && document.activeElement === document.body) heading.current!.focus()
  }, [list.length])

  return (
    <div class="review">
      <h2 ref={heading} tabIndex={-1}>
        Awaiting a decision: {list.length}
      </h2>
      {list.length === 0 && connection.value !== 'connecting' && <EmptyReview />}
      {list.map((item) => (
        <ReviewCard key={item.key} item={item} isSelected={item.key === selected} />
      ))}
      {decisions.value.length > 0 && (
        <section aria-labelledby="decided">
          <h3 id="decided">Recent decisions</h3>
          <ol class="recent-decisions">
            {decisions.value.map((event) => {
              const { symbol, tone, lead, rest } = describeEvent(event)
              return (
                <li key={event.seq}>
                  <a class="time" href={formatRoute({ screen: 'timeline', id: event.seq })}>
                    <Time at={event.at} style="since" />
                  </a>{' '}
                  <span class="status" data-tone={tone}>
                    {symbol}
                  </span>{' '}
                  {lead} <span class="muted">{rest}</span>{' '}
                  <a href={formatRoute({ screen: 'payments', id: event.payId! })}>Payment {event.payId}</a>
                </li>
              )
            })}
          </ol>
        </section>
      )}
    </div>
  )
}

const EmptyReview = () => (
  <div class="empty">
    <p>Nothing awaits a decision. Three things appear here:</p>
    <ul>
      <li>
        <strong>A bank transfer</strong>, after a customer chooses it at the checkout.
      </li>
      <li>
        <strong>A refund</strong>, after your code calls <code>refundPayment</code>.
      </li>
      <li>
        <strong>A dispute</strong>, after you open it on a paid payment in{' '}
        <a href={formatRoute({ screen: 'payments' })}>Payments</a>.
      </li>
    </ul>
  </div>
)
