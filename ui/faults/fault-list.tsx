import type { FaultView } from '../../server/contract/views.ts'
import { accountName } from '../accounts.ts'
import { plural } from '../../server/format/values.ts'
import { formatRoute } from '../hash-route.ts'
import { armed, removeFault, removeAllFaults } from './faults.ts'
import { faultPointText } from '../../server/format/describe-event.ts'

/** What was asked to go wrong, until it is taken away. */
export function FaultList() {
  const loaded = armed.value
  if (loaded.state === 'failed') return <p class="wrong">{loaded.reason}</p>
  if (loaded.state === 'loading') return <p class="muted late">Loading…</p>
  if (loaded.value.length === 0) return <p class="muted">Nothing is asked to go wrong.</p>
  return (
    <>
      <ul class="cards">
        {loaded.value.map((fault) => (
          <FaultCard key={fault.id} fault={fault} />
        ))}
      </ul>
      {loaded.value.length > 1 && (
        <button type="button" onClick={removeAllFaults}>
          Remove all
        </button>
      )}
    </>
  )
}

function FaultCard({ fault }: { readonly fault: FaultView }) {
  const { id, on, script, accountId, operation, target, probability, triggered, remaining } = fault
  const whom = accountId === null ? 'every account' : accountName(accountId)
  const limits = [whom, operation, target, probability < 1 && `${Math.round(probability * 100)} % of them`]
  return (
    <li class="card">
      <h3>
        {script.join(', ')} <span class="muted">on {faultPointText[on]}</span>
      </h3>
      <p class="muted">{limits.filter(Boolean).join(' · ')}</p>
      <p class="foot">
        <span class="chip" data-tone={remaining === 0 ? 'plain' : 'warn'}>
          {remaining === 0 ? 'used up' : remaining === 'always' ? 'armed' : `armed, ${remaining} left`}
        </span>
        {triggered === 0 ? (
          <span class="muted">not struck yet</span>
        ) : (
          <a href={formatRoute({ screen: 'timeline', query: `is:fault fault:${id}` })}>
            {plural(triggered, 'occasion')}
          </a>
        )}
        <button type="button" aria-label={`Remove fault ${id}`} onClick={() => removeFault(fault)}>
          Remove
        </button>
      </p>
    </li>
  )
}
