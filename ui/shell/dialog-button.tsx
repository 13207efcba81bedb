import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'

interface Props {
  /** On the button, and above what it opens. */
  readonly title: string
  /** On the button instead. */
  readonly label?: string
  readonly class?: string
  readonly children: (close: () => void) => ComponentChildren
}

/** A button that opens a dialog, which what stands in it can close. */
export function DialogButton({ title, label = title, class: look = '', children }: Props) {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button
        type="button"
        class={look}
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
