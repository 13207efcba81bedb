import type { FaultView } from '../../../server/contract/views.ts'
import { plural, times } from '../../../server/contract/format/values.ts'
import { NotLoaded } from '../../connect/accounts/not-loaded.tsx'
import { ConfirmButton } from '../../connect/accounts/confirm-button.tsx'
import { accountName } from '../../data/accounts.ts'
import { formatRoute } from '../../browser/hash-route.ts'
import { describeFault, describeScope } from './describe-fault.ts'
import { faults, removeAllFaults, removeFault } from './fault-resource.ts'

/** The faults of this sandbox. Finished faults are folded. */
export function FaultList() {
  const loaded = faults.value
  if (loaded.state !== 'loaded') return <NotLoaded of={loaded} />
  if (loaded.value.length === 0) return <p class="muted">No faults.</p>
  const done = loaded.value.filter(({ remaining }) => remaining === 0)
  return (
    <>
      <Cards faults={loaded.value.filter(({ remaining }) => remaining !== 0)} />
      {done.length > 0 && (
        <details class="done-faults">
          <summary>{plural(done.length, 'fault')} done</summary>
          <Cards faults={done} />
        </details>
      )}
      {loaded.value.length > 1 && (
        <ConfirmButton
          label="Remove all…"
          class="danger-text"
          question={`Remove ${plural(loaded.value.length, 'fault')}?`}
          yes="Remove all"
          action={removeAllFaults}
          onDone={() => {}}
        >
          This removes: {loaded.value.map(describeFault).join('; ')}. This cannot be undone.
        </ConfirmButton>
      )}
    </>
  )
}

const Cards = ({ faults: shown }: { readonly faults: readonly FaultView[] }) => (
  <ul class="cards">
    {shown.map((fault) => (
      <FaultCard key={fault.id} fault={fault} />
    ))}
  </ul>
)

function FaultCard({ fault }: { readonly fault: FaultView }) {
  const { id, script, accountId, triggered, remaining } = fault
  return (
    <li class="card">
      <h3>{describeFault(fault)}</h3>
      <p class="muted">
        {describeScope(fault)} · {accountId === null ? 'all accounts' : accountName(accountId)} ·{' '}
        <code>{script.join(',')}</code>
      </p>
      <p class="card-footer">
        <span class="chip" data-tone={remaining === 0 ? 'plain' : 'warn'}>
          {remaining === 0 ? 'done' : remaining === 'always' ? 'enabled' : `enabled, ${remaining} left`}
        </span>
        {triggered === 0 ? (
          <span class="muted">not triggered yet</span>
        ) : (
          <a href={formatRoute({ screen: 'timeline', query: `is:fault fault:${id}` })}>
            triggered {times(triggered)}
          </a>
        )}
        <button
          type="button"
          class="danger-text"
          aria-label={`Remove fault ${id}`}
          onClick={() => removeFault(fault, describeFault(fault))}
        >
          Remove
        </button>
      </p>
    </li>
  )
}
