import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'

interface Props {
  /** The title of the dialog, and by default the text of the button. */
  readonly title: string
  readonly label?: string
  readonly class?: string
  readonly children: (close: () => void) => ComponentChildren
}

/** A button that opens a dialog. The content gets a function that closes it. */
export function DialogButton({ title, label = title, class: className = '', children }: Props) {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button
        type="button"
        class={className}
        aria-label={label === title ? undefined : title}
        onClick={() => (isOpen.value = true)}
      >
        {label}
      </button>
      <Dialog title={title} isOpen={isOpen.value} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  )
}
