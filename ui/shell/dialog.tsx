import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  readonly title: string
  readonly isOpen: boolean
  /** Told when it closes by itself, as with Escape. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A question or a form above the page. Its content exists only while it is open, so that it begins afresh. */
export function Dialog({ title, isOpen, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // Before anything else is typed: what the page takes next is not for what is on its way out.
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
        // It is told later than it happened, and may be open again.
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
