import { attempt } from '../api.ts'
import { carryOut } from './carry-out.ts'
import type { Payment } from './payment.ts'
import { refusalOf, type ActionName } from './possible-actions.ts'

const customer = [
  'Pay by card',
  'Bank transfer',
  'Pay and close browser',
  'Decline card',
  'Cancel payment',
] as const satisfies ActionName[]

const operator = [
  'Approve transfer',
  'Reject transfer',
  'Approve refund',
  'Reject refund',
  'Open dispute',
  'Dispute: customer lost',
  'Dispute: customer won',
  'Delete link',
] as const satisfies ActionName[]

export function PaymentActions({ payment }: { readonly payment: Payment }) {
  return (
    <>
      <ActionGroup title="As the customer" actions={customer} payment={payment} />
      <ActionGroup title="As the operator" actions={operator} payment={payment} />
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
