import { openNewLink } from '../new-link/dialog-state.ts'

export const NewLinkButton = () => (
  <button type="button" aria-keyshortcuts="n" aria-haspopup="dialog" onClick={openNewLink}>
    New link<kbd aria-hidden="true">n</kbd>
  </button>
)
