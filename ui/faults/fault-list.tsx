import type { FaultView } from '../../server/contract/views.ts'
import { faultPointText } from '../../server/contract/format/describe-event.ts'
import { plural } from '../../server/contract/format/values.ts'
import { NotLoaded } from '../account/not-loaded.tsx'
import { ConfirmButton } from '../account/confirm-button.tsx'
import { accountName } from '../data/accounts.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { faults, removeAllFaults, removeFault } from './fault-resource.ts'

/** The faults of this sandbox, until they are removed. */
export function FaultList() {
  const loaded = faults.value
  if (loaded.state !== 'loaded') return <NotLoaded of={loaded} />
  if (loaded.value.length === 0) return <p class="muted">No faults.</p>
  return (
    <>
      <ul class="cards">
        {loaded.value.map((fault) => (
          <FaultCard key={fault.id} fault={fault} />
        ))}
      </ul>
      {loaded.value.length > 1 && (
        <ConfirmButton
          label="Remove all…"
          class="danger-text"
          question={`Remove ${plural(loaded.value.length, 'fault')}?`}
          yes="Remove all"
          action={removeAllFaults}
          onDone={() => {}}
        >
          This removes {loaded.value.map(describeFault).join('; ')}. It cannot be undone.
        </ConfirmButton>
      )}
    </>
  )
}

const describeFault = ({ on, script }: FaultView): string => `${script.join(', ')} on ${faultPointText[on]}`

function FaultCard({ fault }: { readonly fault: FaultView }) {
  const { id, on, script, accountId, operation, target, probability, triggered, remaining } = fault
  const account = accountId === null ? 'all accounts' : accountName(accountId)
  const limits = [
    account,
    operation,
    target,
    probability < 1 && `${Math.round(probability * 100)} % of ${faultPointText[on]}`,
  ]
  return (
    <li class="card">
      <h3>
        {script.join(', ')} <span class="muted">on {faultPointText[on]}</span>
      </h3>
      <p class="muted">{limits.filter(Boolean).join(' · ')}</p>
      <p class="card-footer">
        <span class="chip" data-tone={remaining === 0 ? 'plain' : 'warn'}>
          {remaining === 0 ? 'done' : remaining === 'always' ? 'enabled' : `enabled, ${remaining} left`}
        </span>
        {triggered === 0 ? (
          <span class="muted">not triggered yet</span>
        ) : (
          <a href={formatRoute({ screen: 'timeline', query: `is:fault fault:${id}` })}>
            triggered {plural(triggered, 'time')}
          </a>
        )}
        <button type="button" aria-label={`Remove fault ${id}`} onClick={() => removeFault(fault)}>
          Remove
        </button>
      </p>
    </li>
  )
}
