import { expectedPayId, isDialogOpen } from '../new-link/dialog-state.ts'
import { Dialog } from '../components/dialog.tsx'
import { lazy } from '../components/lazy.tsx'
import { selectedPayId } from './payment-list.ts'

/** Loaded when it is opened, because its library for exact decimals is large. */
const NewLinkForm = lazy(async () => (await import('../new-link/new-link-form.tsx')).NewLinkForm)

export function NewLinkDialog() {
  return (
    <Dialog
      title="New payment link"
      isOpen={isDialogOpen.value}
      onClose={() => {
        isDialogOpen.value = false
        // After creating a link, the focus goes to its details.
        const isNew = expectedPayId.peek() !== undefined && expectedPayId.peek() === selectedPayId.peek()
        if (isNew) document.getElementById('details')?.focus()
      }}
    >
      <NewLinkForm />
    </Dialog>
  )
}
