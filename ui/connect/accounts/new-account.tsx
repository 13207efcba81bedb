import { useSignal } from '@preact/signals'
import { reload } from '../../data/accounts.ts'
import { request, catchSandboxError } from '../../data/api.ts'
import { navigate } from '../../browser/route.ts'
import { DialogButton } from '../../components/dialog-button.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { useError } from '../../data/use-error.ts'

type Environment = 'development' | 'production'

export const NewAccount = () => (
  <DialogButton title="New account">{(close) => <Form onDone={close} />}</DialogButton>
)

function Form({ onDone }: { readonly onDone: () => void }) {
  const name = useSignal('')
  const environment = useSignal<Environment>('development')
  const error = useError()
  const create = async () => {
    const failure = await catchSandboxError(async () => {
      const json = { environment: environment.value, ...(name.value === '' ? {} : { name: name.value }) }
      const { id } = await request('POST /accounts', { json })
      reload()
      navigate({ account: id, point: undefined })
      onDone()
    })
    error.value = failure?.detail
  }

  return (
    <DialogForm verb="Create account" onSubmit={create} onCancel={onDone} error={error.value}>
      <TextField
        label="Name"
        hint="Keys and tokens are generated."
        value={name.value}
        onValue={(text) => (name.value = text)}
      />
      <Select
        label="Environment"
        hint="The sandbox rejects the key of a production account."
        value={environment.value}
        options={[
          ['development', 'development'],
          ['production', 'production'],
        ]}
        onValue={(value) => (environment.value = value as Environment)}
      />
    </DialogForm>
  )
}
