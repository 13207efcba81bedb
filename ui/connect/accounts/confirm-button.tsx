import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { catchSandboxError } from '../../data/api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { useOneAtATime } from '../../browser/use-one-at-a-time.ts'
import { useError } from '../../data/use-error.ts'

interface Props {
  readonly label: ComponentChildren
  /** The accessible name of the button, if its label is not enough. */
  readonly name?: string
  readonly class: string
  readonly question: string
  /** The text of the button that confirms the action. */
  readonly yes: string
  /** The text of the dialog: what the action does. */
  readonly children: ComponentChildren
  readonly action: () => Promise<unknown>
  readonly onDone: () => void
}

/** A button for an action that deletes something. A dialog asks for confirmation. */
export function ConfirmButton(props: Props) {
  const { label, name, class: className = '', question, yes, children, action, onDone } = props
  const isOpen = useSignal(false)
  const error = useError()
  const runOne = useOneAtATime()

  const confirm = async () => {
    const failure = await catchSandboxError(action)
    error.value = failure?.detail
    if (failure) return
    isOpen.value = false
    onDone()
  }
  const open = () => {
    error.value = undefined
    isOpen.value = true
  }
  const close = () => {
    isOpen.value = false
  }

  return (
    <>
      <button type="button" class={className} aria-label={name} title={name} onClick={open}>
        {label}
      </button>
      <Dialog title={question} isOpen={isOpen.value} onClose={close}>
        <p>{children}</p>
        <ErrorMessage text={error.value} />
        <div class="actions">
          <button type="button" class="danger" onClick={() => void runOne(confirm)}>
            {yes}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </Dialog>
    </>
  )
}
