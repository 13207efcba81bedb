import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { catchRequestError } from '../api.ts'
import { useOneAtATime } from '../use-one-at-a-time.ts'
import { Dialog } from '../shell/dialog.tsx'

interface Props {
  /** What the button says, and the question that it asks. */
  readonly label: string
  readonly question: string
  /** What would be done, and what says to do it. */
  readonly children: ComponentChildren
  readonly yes: string
  readonly no: string
  readonly deed: () => Promise<unknown>
  readonly onDone: () => void
}

/** A button for what cannot be undone: it asks first, and says why it was refused. */
export function ConfirmButton({ label, question, children, yes, no, deed, onDone }: Props) {
  const isOpen = useSignal(false)
  const refused = useSignal('')
  const once = useOneAtATime()

  const go = async () => {
    const refusal = await catchRequestError(deed)
    refused.value = refusal?.message ?? ''
    if (refusal) return
    isOpen.value = false
    onDone()
  }
  const open = () => {
    refused.value = ''
    isOpen.value = true
  }

  return (
    <>
      <button type="button" onClick={open}>
        {label}
      </button>
      <Dialog title={question} isOpen={isOpen.value} onClose={() => (isOpen.value = false)}>
        <p>{children}</p>
        {refused.value !== '' && (
          <p class="wrong" role="alert">
            {refused.value}
          </p>
        )}
        <div class="actions">
          <button type="button" class="danger" onClick={() => void once(go)}>
            {yes}
          </button>
          <button type="button" onClick={() => (isOpen.value = false)}>
            {no}
          </button>
        </div>
      </Dialog>
    </>
  )
}
