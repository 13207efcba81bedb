import { api, attempt } from '../api.ts'
import { showToast } from '../toasts.ts'

const undo = () =>
  attempt(async () => {
    await api.reset.undo.$post()
    showToast({ tone: 'ok', text: 'Everything is as it was before the reset' })
  })

const reset = () =>
  attempt(async () => {
    await api.reset.$post({ json: { to: 'seed' } })
    showToast({
      tone: 'ok',
      text: 'Reset to the seed: journal, links, webhooks, refunds, invoices, accounts, behaviors and clock',
      action: { label: 'Undo', run: undo },
    })
  })

/** Nothing is asked first: what a reset takes can be brought back. */
export function ResetButton() {
  return (
    <>
      <p>
        Takes everything back to the seed: this journal, links, webhooks, refunds, invoices, ids, accounts,
        behaviors and the clock. It can be undone.
      </p>
      <button type="button" onClick={reset}>
        Reset the sandbox
      </button>
    </>
  )
}
