import { useSignal } from '@preact/signals'
import { route } from '../browser/route.ts'
import { isSavingSearch, savedSearches, saveSearch } from '../search/saved-searches.ts'
import { Dialog } from '../components/dialog.tsx'
import { DialogForm } from '../components/dialog-form.tsx'
import { TextField } from '../components/field.tsx'

const close = () => void (isSavingSearch.value = false)

/** Asks for the name of a search, and saves it in this browser. */
export const SaveSearch = () => (
  <Dialog title="Save this search" isOpen={isSavingSearch.value} onClose={close}>
    <Form />
  </Dialog>
)

function Form() {
  const { screen, query } = route.value
  const name = useSignal('')
  const error = useSignal<string>()
  const save = async () => {
    const chosen = name.value.trim() || query.trim()
    if (savedSearches.value.some((saved) => saved.name === chosen)) {
      error.value = 'Another saved search has this name.'
      return
    }
    saveSearch({ name: chosen, screen, query: query.trim() })
    close()
  }
  return (
    <DialogForm verb="Save" onSubmit={save} onCancel={close}>
      <TextField
        label="Name"
        hint="This browser lists it in the search field and in the command palette."
        placeholder={query.trim()}
        value={name.value}
        error={error.value}
        onValue={(text) => {
          name.value = text
          error.value = undefined
        }}
      />
    </DialogForm>
  )
}
