import { expectedPayId, isFormOpen, loadedForm } from '../new-link/open.ts'
import { Dialog } from '../shell/dialog.tsx'
import { selectedPayId } from './payment-list.ts'

export function NewLinkDialog() {
  const Form = loadedForm.value
  return (
    <Dialog
      title="New payment link"
      isOpen={isFormOpen.value}
      onClose={() => {
        isFormOpen.value = false
        // Whoever made a link reads on there.
        const isNew = expectedPayId.peek() !== undefined && expectedPayId.peek() === selectedPayId.peek()
        if (isNew) document.getElementById('details')?.focus()
      }}
    >
      {Form ? <Form /> : <p class="late">Loading…</p>}
    </Dialog>
  )
}
