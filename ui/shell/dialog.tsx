import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

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

  useEffect(() => {
    if (isOpen) element.current!.showModal()
    else element.current!.close()
  }, [isOpen])

  return (
    <dialog ref={element} aria-labelledby={titleId} onClose={onClose}>
      {isOpen && (
        <>
          <h2 id={titleId}>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  )
}
