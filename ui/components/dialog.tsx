import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useModal } from './use-modal.ts'

interface Props {
  readonly title: string
  readonly isOpen: boolean
  /** Called when the user closes the dialog, for example with Escape. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog. Its content is created again whenever it opens, so that no old state remains. */
export function Dialog({ title, isOpen, onClose, children }: Props) {
  const modal = useModal(isOpen, onClose)
  const titleId = useId()

  return (
    <dialog {...modal} aria-labelledby={titleId}>
      {isOpen && (
        <>
          <h2 id={titleId}>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  )
}
