import type { EventView } from '../../server/contract/views.ts'
import { sharedIdRange } from '../../server/domain/links/id-range.ts'
import { BEFORE_RESET_SNAPSHOT } from '../../server/domain/state/snapshot.ts'
import { plural } from '../../server/contract/format/values.ts'
import { ConfirmButton } from '../connect/accounts/confirm-button.tsx'
import { useScrollTarget } from '../components/use-scroll-target.ts'
import { request, withErrorToast } from '../data/api.ts'
import { faults } from '../test-screen/faults/fault-resource.ts'
import { log } from '../data/session.ts'
import { showToast } from '../browser/toasts.ts'
import { snapshots } from './snapshots.ts'

/** Undoes the last reset. With an epoch, fails if that reset is not the last one. */
const undo = (epoch?: string) =>
  withErrorToast(async () => {
    await request('POST /reset/undo', { json: epoch === undefined ? {} : { epoch } })
    showToast({ tone: 'ok', text: 'The reset was undone' })
  })

async function reset(to: 'seed' | 'empty'): Promise<void> {
  const { epoch } = await request('POST /reset', { json: { to } })
  showToast({
    tone: 'ok',
    text: to === 'seed' ? 'The sandbox was reset to its seed' : 'Everything was deleted',
    action: { label: 'Undo', run: () => undo(epoch) },
  })
}

/** What a reset deletes: `37 payments, 302 events and 2 faults`. */
function describeLoss(): string {
  const { eventIndex, entries } = log.journal.value
  const active = faults.value.state === 'loaded' ? faults.value.value.length : 0
  const parts = [
    plural(eventIndex.payments.size, 'payment'),
    plural(entries.length, 'event'),
    ...(active > 0 ? [plural(active, 'fault')] : []),
  ]
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Whether there is a reset to undo. An undo restores the earlier journal, so it works only once. */
function canUndo(): boolean {
  const saved = snapshots.value
  if (saved.state !== 'loaded' || !saved.value.some(({ name }) => name === BEFORE_RESET_SNAPSHOT))
    return false
  const last = log.journal.value.entries.findLast(({ event: { type } }) => resets.has(type))
  return last?.event.type === 'sandbox.reset'
}

const resets: ReadonlySet<EventView['type']> = new Set(['sandbox.reset', 'sandbox.restored'])

/** Resets the whole sandbox after a confirmation. The last reset can be undone. */
export function ResetSection() {
  const heading = useScrollTarget<HTMLHeadingElement>('reset')
  const loss = describeLoss()
  return (
    <section aria-labelledby="reset">
      <h2 id="reset" ref={heading} tabIndex={-1}>
        Reset
      </h2>
      <p class="muted">Deletes {loss}, and resets the behaviors and the clock.</p>
      <div class="actions">
        <ConfirmButton
          label="Reset to the seed…"
          class="danger-text"
          question="Reset the sandbox to its seed?"
          yes="Reset"
          action={() => reset('seed')}
          onDone={() => {}}
        >
          This deletes {loss}, with all webhooks, refunds and invoices. Accounts, keys, behaviors, maps and
          the clock become those of the seed, and ids start again at {sharedIdRange.first}. You can undo it
          until the next reset.
        </ConfirmButton>
        <ConfirmButton
          label="Delete everything…"
          class="danger-text"
          question="Delete everything?"
          yes="Delete everything"
          action={() => reset('empty')}
          onDone={() => {}}
        >
          This deletes {loss}, with all webhooks, refunds and invoices, and all accounts with their keys. You
          can undo it until the next reset.
        </ConfirmButton>
        {canUndo() && (
          <button type="button" class="quiet" onClick={() => undo()}>
            Undo the last reset
          </button>
        )}
      </div>
    </section>
  )
}
