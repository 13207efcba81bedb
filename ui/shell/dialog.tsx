import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  readonly title: string
  readonly isOpen: boolean
  /** Called when the user closes it, for example with Escape. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog. Its content is created each time that it opens, so that no old state remains. */
export function Dialog({ title, isOpen, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // A layout effect runs before the next key press, which must not reach a dialog that is closing.
  useLayoutEffect(() => {
    if (isOpen) element.current!.showModal()
    else element.current!.close()
  }, [isOpen])

  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        // The event comes late, and the dialog may be open again.
        if (!element.current?.open) onClose()
      }}
    >
      {isOpen && (
        <>
          <h2 id={titleId}>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  )
}
