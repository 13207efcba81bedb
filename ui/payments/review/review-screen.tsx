import { useLayoutEffect, useRef } from 'preact/hooks'
import { describeEvent } from '../../../server/contract/format/describe-event.ts'
import { formatRoute } from '../../browser/hash-route.ts'
import { connection } from '../../data/session.ts'
import { Time } from '../../components/time.tsx'
import { decisions, reviewList, selectedItem } from './review-list.ts'
import { ReviewRow } from './review-row.tsx'

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
        {list.length === 0 ? 'Nothing awaits a decision' : 'Awaiting a decision'}
      </h2>
      {list.map((item) => (
        <ReviewRow key={item.key} item={item} isSelected={item.key === selected} />
      ))}
      {connection.value !== 'connecting' && <Explanation />}
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

/** What awaits a decision, and what a decision does. */
const Explanation = () => (
  <ul class="plain muted">
    <li>
      <b>A bank transfer</b> waits after a customer chooses it at the checkout. Approving sends the webhook
      and redirects the waiting browser. Rejecting sends no webhook, and the link can be paid again.
    </li>
    <li>
      <b>A refund</b> waits after your code calls <code>refundPayment</code>. Neither decision sends a
      webhook. A payment can have only one refund.
    </li>
    <li>
      <b>A dispute</b> waits after you open it on a paid payment. If the shop wins, it keeps the money and can
      refund it. If the customer wins, the customer gets the money back, and refunds stay blocked. Neither
      decision sends a webhook.
    </li>
  </ul>
)
