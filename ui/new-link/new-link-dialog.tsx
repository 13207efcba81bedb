import { route } from '../browser/route.ts'
import { Dialog } from '../components/dialog.tsx'
import { lazy } from '../components/lazy.tsx'
import { expectedPayId, isDialogOpen } from './dialog-state.ts'

/** Loaded on demand, because it needs a large library for exact decimals. */
const NewLinkForm = lazy(async () => (await import('./new-link-form.tsx')).NewLinkForm)

/** The form for a new link, above any screen. */
export function NewLinkDialog() {
  return (
    <Dialog
      title="New link"
      isOpen={isDialogOpen.value}
      onClose={() => {
        isDialogOpen.value = false
        // After creating a link, the focus moves to its details.
        const { screen, id } = route.peek()
        const isNew = id !== undefined && screen === 'payments' && expectedPayId.peek() === id
        if (isNew) document.getElementById('details')?.focus()
      }}
    >
      <NewLinkForm />
    </Dialog>
  )
}
