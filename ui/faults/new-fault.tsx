import { useSignal } from '@preact/signals'
import { operations } from '../../server/domain/api/operations.ts'
import { faultPoints, type FaultPoint } from '../../server/domain/faults/fault.ts'
import { accountList } from '../accounts.ts'
import { api, catchRequestError } from '../api.ts'
import { DialogButton } from '../shell/dialog-button.tsx'
import { DialogForm } from '../shell/dialog-form.tsx'
import { FieldFrame, TextField } from '../shell/field.tsx'
import {
  parameterOf,
  choicesOf,
  draftOn,
  exampleOf,
  requestOf,
  SCRIPT,
  type FaultDraft,
} from './fault-draft.ts'
import { faultPointText } from '../../server/format/describe-event.ts'

export const NewFault = () => (
  <DialogButton title="New fault" class="primary">
    {(close) => <Form onDone={close} />}
  </DialogButton>
)

function Form({ onDone }: { readonly onDone: () => void }) {
  const draft = useSignal(draftOn('webhook'))
  const refused = useSignal<string | undefined>(undefined)
  const change = (changes: Partial<FaultDraft>) => (draft.value = { ...draft.value, ...changes })
  const add = async () => {
    const refusal = await catchRequestError(async () => {
      await api.faults.$post(requestOf(draft.value))
      onDone()
    })
    refused.value = refusal?.message
  }
  const { on, form, parameter, often } = draft.value
  const asked = form === SCRIPT ? 'effects, one after another' : parameterOf(form)

  return (
    <DialogForm
      verb={often === 'times' ? 'Arm' : 'Arm until removed'}
      onSubmit={add}
      onCancel={onDone}
      refused={refused.value}
    >
      <Choice
        label="On"
        value={on}
        options={faultPoints.map((place) => [place, faultPointText[place]])}
        onValue={(place) => (draft.value = draftOn(place as FaultPoint))}
      />
      <Choice
        label="What goes wrong"
        hint={form === SCRIPT ? undefined : choicesOf(on).find((choice) => choice.form === form)?.does}
        value={form}
        options={[
          ...choicesOf(on).map((choice) => [choice.form, choice.form] as const),
          [SCRIPT, 'a script of several'],
        ]}
        onValue={(chosen) => change({ form: chosen, parameter: exampleOf(chosen, on) })}
      />
      {asked !== undefined && (
        <TextField
          label={asked[0]!.toUpperCase() + asked.slice(1)}
          value={parameter}
          isRequired
          onValue={(text) => change({ parameter: text })}
        />
      )}
      <Often draft={draft.value} onChange={change} />
      <Choice
        label="For"
        value={draft.value.account}
        options={[['', 'every account'], ...accountList.value.map(({ id, name }) => [id, name] as const)]}
        onValue={(account) => change({ account })}
      />
      {on === 'api' && (
        <Choice
          label="Only calls of"
          value={draft.value.only}
          options={[['', 'every operation'], ...operations.map((name) => [name, name] as const)]}
          onValue={(only) => change({ only })}
        />
      )}
      {on === 'webhook' && (
        <TextField
          label="Only targets that begin with"
          hint="Empty for every target."
          inputMode="url"
          value={draft.value.only}
          onValue={(only) => change({ only })}
        />
      )}
    </DialogForm>
  )
}

interface OftenProps {
  readonly draft: FaultDraft
  readonly onChange: (changes: Partial<FaultDraft>) => void
}

function Often({ draft: { often, times, percent }, onChange }: OftenProps) {
  return (
    <>
      <Choice
        label="How often"
        value={often}
        options={[
          ['times', 'so many times'],
          ['always', 'always'],
          ['chance', 'by chance'],
        ]}
        onValue={(chosen) => onChange({ often: chosen as FaultDraft['often'] })}
      />
      {often === 'times' && (
        <TextField
          label="Times"
          inputMode="decimal"
          isRequired
          value={times}
          onValue={(text) => onChange({ times: text })}
        />
      )}
      {often === 'chance' && (
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

interface ChoiceProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onValue: (value: string) => void
}

const Choice = ({ label, hint, value, options, onValue }: ChoiceProps) => (
  <FieldFrame label={label} {...(hint === undefined ? {} : { hint })}>
    {(ties) => (
      <select {...ties} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
)
