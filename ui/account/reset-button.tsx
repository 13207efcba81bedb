import { useRef } from 'preact/hooks'
import { api, attempt } from '../api.ts'
import { showToast } from '../toasts.ts'

/** Nothing brings back what a reset takes, so it is asked for twice. */
export function ResetButton() {
  const dialog = useRef<HTMLDialogElement>(null)

  const reset = async () => {
    dialog.current?.close()
    await attempt(async () => {
      await api.reset.$post({ json: { to: 'seed' } })
      showToast({ tone: 'ok', text: 'The sandbox is as it was seeded' })
    })
  }

  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Reset the sandbox…
      </button>
      <dialog ref={dialog} aria-labelledby="reset-question">
        <h2 id="reset-question">Reset the sandbox?</h2>
        <p>Every link, webhook and event is taken back. This cannot be undone.</p>
        <div class="actions">
          <button type="button" class="danger" onClick={reset}>
            Reset
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Keep everything
          </button>
        </div>
      </dialog>
    </>
  )
}
