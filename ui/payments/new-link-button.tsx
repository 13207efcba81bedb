import { openNewLink } from '../new-link/dialog-state.ts'
import { Icon } from '../components/icon.tsx'

export const NewLinkButton = () => (
  <button type="button" class="primary" aria-keyshortcuts="n" aria-haspopup="dialog" onClick={openNewLink}>
    <Icon name="add" />
    <span class="icon-on-phone">New link</span>
    <kbd aria-hidden="true">n</kbd>
  </button>
)
