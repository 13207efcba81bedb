import { signal } from '@preact/signals'
import { api, withErrorToast } from '../api.ts'
import { showToast } from '../toasts.ts'

const isResetting = signal(false)

/** Undoes one reset, or without its epoch the last. */
const undo = (epoch?: string) =>
  withErrorToast(async () => {
    await api.reset.undo.$post({ json: epoch === undefined ? {} : { epoch } })
    showToast({ tone: 'ok', text: 'Everything is as it was before the reset' })
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

/** Nothing is asked first: what a reset takes can be brought back. */
export function ResetButton() {
  return (
    <>
      <p>
        Takes everything back to the seed: this journal, links, webhooks, refunds, invoices, ids, accounts,
        behaviors and the clock. The last one can be undone.
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
