import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface PaneProps {
  readonly label: string
  /** On a narrow screen, the name of the list to which the button leads back. */
  readonly listName: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Selects another row. */
  readonly onStep?: (steps: number) => void
  readonly children: ComponentChildren
}

/** The pane with the details of the selected row. If it covers the list, a bar leads back to the list. */
export const DetailsPane = ({ label, listName = 'Back', isOpen, onClose, onStep, children }: PaneProps) => (
  <section id="details" class="details" aria-label={label} tabIndex={-1}>
    {isOpen && (
      <div class="back bar">
        <button type="button" class="to-list" onClick={onClose}>
          <Icon name="left" size={20} />
          {listName}
        </button>
        {onStep && (
          <>
            <button type="button" aria-label="Previous" onClick={() => onStep(-1)}>
              <Icon name="up" size={20} />
            </button>
            <button type="button" aria-label="Next" onClick={() => onStep(1)}>
              <Icon name="down" size={20} />
            </button>
          </>
        )}
      </div>
    )}
    {children}
  </section>
)

interface NotInJournalProps {
  /** Like `Event 7`. */
  readonly name: string
  readonly onClose: () => void
}

export const NotInJournal = ({ name, onClose }: NotInJournalProps) => (
  <div class="hint">
    <h2>{name} is not in this journal</h2>
    <p>A reset may have removed it, or the link is from another sandbox.</p>
    <button type="button" onClick={onClose}>
      Close
    </button>
  </div>
)
