import { useSignal } from '@preact/signals'
import { route } from '../route.ts'
import { isSavingSearch, saveSearch } from '../saved-searches.ts'
import { Dialog } from './dialog.tsx'
import { DialogForm } from './dialog-form.tsx'
import { TextField } from './field.tsx'

const close = () => void (isSavingSearch.value = false)

/** Asks for the name under which this browser keeps a search. */
export const SaveSearch = () => (
  <Dialog title="Keep this search" isOpen={isSavingSearch.value} onClose={close}>
    <Form />
  </Dialog>
)

function Form() {
  const { screen, query } = route.value
  const name = useSignal('')
  const save = async () => {
    saveSearch({ name: name.value.trim() || query.trim(), screen, query: query.trim() })
    close()
  }
  return (
    <DialogForm verb="Keep" onSubmit={save} onCancel={close}>
      <TextField
        label="Name"
        hint="This browser lists it in the search field and in the command palette."
        placeholder={query.trim()}
        value={name.value}
        onValue={(text) => (name.value = text)}
      />
    </DialogForm>
  )
}
