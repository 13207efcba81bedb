import { signal } from '@preact/signals'
import { api, withErrorToast } from '../api.ts'
import { showToast } from '../toasts.ts'

const isResetting = signal(false)

/** Undoes the last reset. With an epoch, fails unless that reset is the last one. */
const undo = (epoch?: string) =>
  withErrorToast(async () => {
    await api.reset.undo.$post({ json: epoch === undefined ? {} : { epoch } })
    showToast({ tone: 'ok', text: 'The reset was undone' })
  })

async function reset() {
  if (isResetting.peek()) return
  isResetting.value = true
  const done = withErrorToast(async () => {
    const { epoch } = await (await api.reset.$post({ json: { to: 'seed' } })).json()
    showToast({
      tone: 'ok',
      text: 'Reset to the seed: journal, links, webhooks, refunds, invoices, accounts, behaviors and clock',
      action: { label: 'Undo', run: () => undo(epoch) },
    })
  })
  await done.finally(() => (isResetting.value = false))
}

/** Does not ask for confirmation, because a reset can be undone. */
export function ResetButton() {
  return (
    <>
      <p>
        Resets to the seed: the journal, links, webhooks, refunds, invoices, ids, accounts, behaviors and the
        clock. You can undo the last reset.
      </p>
      <div class="actions">
        <button type="button" onClick={reset} disabled={isResetting.value}>
          Reset the sandbox
        </button>
        <button type="button" onClick={() => undo()}>
          Undo the last reset
        </button>
      </div>
    </>
  )
}
