import type { ComponentChildren } from 'preact'

interface PaneProps {
  readonly label: string
  /** Whether something is selected. */
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** The pane with the details of the selected row. On a narrow screen it has a button back to the list. */
export const DetailsPane = ({ label, isOpen, onClose, children }: PaneProps) => (
  <section id="details" class="details" aria-label={label} tabIndex={-1}>
    {isOpen && (
      <button type="button" class="back" onClick={onClose}>
        <span aria-hidden="true">‹ </span>Back
      </button>
    )}
    {children}
  </section>
)

interface NotInJournalProps {
  /** Such as `Event 7`. */
  readonly name: string
  readonly listName: string
  readonly onClose: () => void
}

export const NotInJournal = ({ name, listName, onClose }: NotInJournalProps) => (
  <div class="hint">
    <h2>{name} is not in this journal</h2>
    <p>A reset may have removed it, or the link is from another sandbox.</p>
    <button type="button" onClick={onClose}>
      Show the {listName}
    </button>
  </div>
)
