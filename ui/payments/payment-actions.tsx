import { useLayoutEffect, useRef } from 'preact/hooks'
import { withErrorToast } from '../api.ts'
import { useOneAtATime } from '../use-one-at-a-time.ts'
import { runAction } from './run-action.ts'
import { ForgeActions } from './forge-actions.tsx'
import type { Payment } from './payment.ts'
import { customerActions, operatorActions, blockedReason, type PaymentAction } from './possible-actions.ts'

/** What can be done now stands out; what cannot is told in one line, with the reasons behind it. */
export function PaymentActions({ payment }: { readonly payment: Payment }) {
  const section = useRef<HTMLElement>(null)
  const once = useOneAtATime()
  const refusals = new Map(
    [...customerActions, ...operatorActions].map((action) => [action, blockedReason(action, payment)]),
  )
  const isPossible = (action: PaymentAction): boolean => refusals.get(action) === null
  const reasons = [...new Set(refusals.values())].filter((reason) => reason !== null)

  // The button that was pressed is gone: its place in the page is not to be lost with it.
  const possible = [...refusals.keys()].filter(isPossible).join()
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!isFirst.current && document.activeElement === document.body) section.current!.focus()
    isFirst.current = false
  }, [possible])

  const buttons = (actions: readonly PaymentAction[], primary?: PaymentAction) =>
    actions.map((action) => (
      <button
        key={action}
        type="button"
        class={action === primary ? 'primary' : ''}
        {...(action === CLOSING ? { 'aria-describedby': CLOSING_ID } : {})}
        onClick={() => once(() => withErrorToast(() => runAction(action, payment.link)))}
      >
        {action}
      </button>
    ))

  return (
    <section ref={section} class="payment-actions" aria-label="What can be done" tabIndex={-1}>
      {customerActions.some(isPossible) && (
        <div class="actions">
          <h3>Simulate</h3>
          {buttons(customerActions.filter(isPossible), 'Pay by card')}
        </div>
      )}
      {isPossible(CLOSING) && (
        <p id={CLOSING_ID} class="muted">
          {CLOSING}: the payment goes through, but the browser never returns to the shop. Only the webhook
          tells.
        </p>
      )}
      {operatorActions.some(isPossible) && (
        <div class="actions">
          <h3>Operator</h3>
          {buttons(operatorActions.filter(isPossible))}
        </div>
      )}
      <ForgeActions payment={payment} />
      {reasons.length > 0 && (
        <details class="impossible">
          <summary>Not possible now</summary>
          <ul>
            {reasons.map((reason, index) => (
              <li key={reason}>
                <span class="actions">
                  {[...refusals].map(
                    ([action, refusal]) =>
                      refusal === reason && (
                        <button key={action} type="button" disabled aria-describedby={`why-not-${index}`}>
                          {action}
                        </button>
                      ),
                  )}
                </span>
                <span id={`why-not-${index}`}>{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const CLOSING = 'Pay and close browser'
const CLOSING_ID = 'closing-browser'
