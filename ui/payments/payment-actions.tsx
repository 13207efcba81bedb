import { attempt } from '../api.ts'
import { carryOut } from './carry-out.ts'
import type { Payment } from './payment.ts'
import { customerActions, operatorActions, refusalOf, type ActionName } from './possible-actions.ts'

export function PaymentActions({ payment }: { readonly payment: Payment }) {
  return (
    <>
      <ActionGroup title="As the customer" actions={customerActions} payment={payment} />
      <ActionGroup title="As the operator" actions={operatorActions} payment={payment} />
    </>
  )
}

interface Props {
  readonly title: string
  readonly actions: readonly ActionName[]
  readonly payment: Payment
}

/** The buttons of one party. Each that is disabled has its reason in the list below them. */
function ActionGroup({ title, actions, payment }: Props) {
  const refusals = new Map(actions.map((action) => [action, refusalOf(action, payment)]))
  const reasons = [...new Set(refusals.values())].filter((reason) => reason !== null)
  const reasonId = (reason: string) => `why-${title.split(' ').at(-1)}-${reasons.indexOf(reason)}`

  return (
    <section class="action-group" aria-label={title}>
      <h3>{title}</h3>
      <div class="actions">
        {actions.map((action) => {
          const reason = refusals.get(action) ?? null
          return (
            <button
              key={action}
              type="button"
              disabled={reason !== null}
              {...(reason === null ? {} : { title: reason, 'aria-describedby': reasonId(reason) })}
              onClick={() => attempt(() => carryOut(action, payment.link))}
            >
              {action}
            </button>
          )
        })}
      </div>
      {reasons.length > 0 && (
        <ul class="reasons">
          {reasons.map((reason) => (
            <li key={reason} id={reasonId(reason)}>
              {reason}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
