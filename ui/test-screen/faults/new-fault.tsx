import { asSentence } from '../../../server/domain/text/as-sentence.ts'
import { useSignal } from '@preact/signals'
import { operations } from '../../../server/domain/api/operations.ts'
import { faultPoints, type FaultPoint } from '../../../server/domain/faults/fault.ts'
import { faultPointText } from '../../../server/contract/format/describe-event.ts'
import { accountList } from '../../data/accounts.ts'
import { request, catchSandboxError } from '../../data/api.ts'
import { DialogButton } from '../../components/dialog-button.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { Select, TextField } from '../../components/field.tsx'
import {
  effectChoices,
  exampleOf,
  findChoice,
  newDraft,
  SCRIPT,
  toRequest,
  type FaultDraft,
} from './fault-draft.ts'
import { useError } from '../../data/use-error.ts'

export const NewFault = () => (
  <DialogButton title="New fault" class="primary">
    {(close) => <Form onDone={close} />}
  </DialogButton>
)

function Form({ onDone }: { readonly onDone: () => void }) {
  const draft = useSignal(newDraft('webhook'))
  const error = useError()
  const change = (changes: Partial<FaultDraft>) => (draft.value = { ...draft.value, ...changes })
  const submit = async () => {
    const failure = await catchSandboxError(async () => {
      await request('POST /faults', toRequest(draft.value))
      onDone()
    })
    const [first] = failure?.errors ?? []
    error.value = first?.path === 'script' ? asSentence(`The script ${first.message}`) : failure?.detail
  }
  const { on, form, parameter, frequency } = draft.value
  const choice = findChoice(draft.value)
  const parameterName = form === SCRIPT ? 'effects, separated by commas' : choice?.parameter

  return (
    <DialogForm
      verb={frequency === 'times' ? 'Enable' : 'Enable until removed'}
      onSubmit={submit}
      onCancel={onDone}
      error={error.value}
    >
      <Select
        label="Applies to"
        value={on}
        options={faultPoints.map((point) => [point, faultPointText[point]])}
        onValue={(point) => (draft.value = newDraft(point as FaultPoint))}
      />
      <Select
        label="Effect"
        hint={choice?.does}
        value={form}
        options={[
          ...effectChoices(on).map((offered) => [offered.form, offered.form] as const),
          [SCRIPT, 'several in sequence'],
        ]}
        onValue={(chosen) => change({ form: chosen, parameter: exampleOf(chosen, on) })}
      />
      {parameterName !== undefined && (
        <TextField
          label={parameterName[0]!.toUpperCase() + parameterName.slice(1)}
          value={parameter}
          isRequired
          onValue={(text) => change({ parameter: text })}
        />
      )}
      <FrequencyFields draft={draft.value} onChange={change} />
      <Select
        label="Account"
        value={draft.value.account}
        options={[['', 'all accounts'], ...accountList.value.map(({ id, name }) => [id, name] as const)]}
        onValue={(account) => change({ account })}
      />
      {on === 'api' && (
        <Select
          label="Operation"
          value={draft.value.scope}
          options={[['', 'all operations'], ...operations.map((name) => [name, name] as const)]}
          onValue={(scope) => change({ scope })}
        />
      )}
      {on === 'webhook' && (
        <TextField
          label="Target begins with"
          hint="Leave empty for all targets."
          inputMode="url"
          value={draft.value.scope}
          onValue={(scope) => change({ scope })}
        />
      )}
    </DialogForm>
  )
}

interface FrequencyProps {
  readonly draft: FaultDraft
  readonly onChange: (changes: Partial<FaultDraft>) => void
}

function FrequencyFields({ draft: { frequency, times, percent }, onChange }: FrequencyProps) {
  return (
    <>
      <Select
        label="Frequency"
        value={frequency}
        options={[
          ['times', 'a number of times'],
          ['always', 'always'],
          ['random', 'at random'],
        ]}
        onValue={(chosen) => onChange({ frequency: chosen as FaultDraft['frequency'] })}
      />
      {frequency === 'times' && (
        <TextField
          label="Times"
          inputMode="decimal"
          isRequired
          value={times}
          onValue={(text) => onChange({ times: text })}
        />
      )}
      {frequency === 'random' && (
        <TextField
          label="Percent"
          inputMode="decimal"
          isRequired
          value={percent}
          onValue={(text) => onChange({ percent: text })}
        />
      )}
    </>
  )
}
