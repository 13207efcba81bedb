import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'

interface Props {
  /** On the button, and above what it opens. */
  readonly title: string
  readonly class?: string
  readonly children: (close: () => void) => ComponentChildren
}

/** A button that opens a dialog, which what stands in it can close. */
export function DialogButton({ title, class: look = '', children }: Props) {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button type="button" class={look} onClick={() => (isOpen.value = true)}>
        {title}
      </button>
      <Dialog title={title} isOpen={isOpen.value} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  )
}
