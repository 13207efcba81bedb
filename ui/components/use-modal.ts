import { useLayoutEffect, useRef } from 'preact/hooks'

/** Opens and closes a modal dialog. Returns the attributes of its element. Calls `onClose` when the browser closes it. */
export function useModal(isOpen: boolean, onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null)

  // A layout effect, because it must run before the next key press, which must not reach a closing dialog.
  useLayoutEffect(() => {
    if (isOpen) ref.current!.showModal()
    else ref.current!.close()
  }, [isOpen])

  return {
    ref,
    // Escape closes the dialog here, because the event `close` comes late. Until then, a key that opens the dialog again would
    // have no effect.
    onCancel: (event: Event): void => {
      event.preventDefault()
      onClose()
    },
    onClose: (): void => {
      // The event comes late, when the dialog may already be open again.
      if (!ref.current?.open) onClose()
    },
  }
}
