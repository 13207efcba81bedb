import { useLayoutEffect, useRef } from 'preact/hooks'

/** Opens and closes a modal dialog. Returns the attributes of its element. `onClose` is called when the browser closes it. */
export function useModal(isOpen: boolean, onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null)

  // A layout effect runs before the next key press, which must not reach a dialog that is closing.
  useLayoutEffect(() => {
    if (isOpen) ref.current!.showModal()
    else ref.current!.close()
  }, [isOpen])

  return {
    ref,
    // Escape closes the dialog here, because the event `close` comes late. A key that opens the dialog again before that would
    // have no effect.
    onCancel: (event: Event): void => {
      event.preventDefault()
      onClose()
    },
    onClose: (): void => {
      // The browser sends the event late, when the dialog may be open again.
      if (!ref.current?.open) onClose()
    },
  }
}
