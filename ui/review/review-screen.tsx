import { useLayoutEffect, useRef } from 'preact/hooks'
import { describeEvent } from '../../server/format/describe-event.ts'
import { formatRoute } from '../hash-route.ts'
import { connection } from '../session.ts'
import { Time } from '../shell/time.tsx'
import { decisions, reviewList, selectedItem } from './review-list.ts'
import { ReviewCard } from './review-card.tsx'

/** What waits for the operator, oldest first. */
export function ReviewScreen() {
  const list = reviewList.value
  const selected = selectedItem.value?.key
  const heading = useRef<HTMLHeadingElement>(null)

  // The last item takes the focus with it when it goes.
  useLayoutEffect(() => {
    if (list.length === 0 && document.activeElement === document.body) heading.current!.focus()
  }, [list.length])

  return (
    <div class="review">
      <h2 ref={heading} tabIndex={-1}>
        Waiting for the operator: {list.length}
      </h2>
      {list.length === 0 && connection.value !== 'connecting' && <Nothing />}
      {list.map((item) => (
        <ReviewCard key={item.key} item={item} isSelected={item.key === selected} />
      ))}
      {decisions.value.length > 0 && (
        <section aria-labelledby="decided">
          <h3 id="decided">Decided last</h3>
          <ol class="decided">
            {decisions.value.map((event) => {
              const { status, tone, request, message } = describeEvent(event)
              return (
                <li key={event.seq}>
                  <a class="time" href={formatRoute({ screen: 'timeline', id: event.seq })}>
                    <Time at={event.at} />
                  </a>{' '}
                  <span class="status" data-tone={tone}>
                    {status}
                  </span>{' '}
                  {request} <span class="muted">{message}</span>{' '}
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

const Nothing = () => (
  <div class="nothing">
    <p>Nothing waits. Three things would appear here:</p>
    <ul>
      <li>
        <strong>A bank transfer</strong>, once a customer has chosen it at the checkout of a link that offers
        it.
      </li>
      <li>
        <strong>A refund</strong>, once your code has asked for it with <code>refundPayment</code>.
      </li>
      <li>
        <strong>A dispute</strong>, once it was opened on a paid payment, in <a href="#/payments">Payments</a>
        .
      </li>
    </ul>
  </div>
)
