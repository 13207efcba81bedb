import { useSignal } from '@preact/signals'
import { validateMapFrom, validateMapTo } from '../../server/domain/network/validate-map.ts'
import type { RequestError } from '../api.ts'
import { plural } from '../../server/format/values.ts'
import { DialogButton } from '../shell/dialog-button.tsx'
import { DialogForm } from '../shell/dialog-form.tsx'
import { TextField } from '../shell/field.tsx'
import { useDebounced } from '../use-debounced.ts'
import { countReleased } from './count-released.ts'
import { saveMap } from './egress-rules.ts'

interface Props {
  readonly title: string
  /** On the button, where its title would say too much. */
  readonly label?: string
  readonly class?: string
  readonly from?: string
  readonly to?: string
  /** The origin whose map is changed, where there is one. */
  readonly before?: string
}

/** A button that opens the form for a map. */
export const MapButton = ({ title, label = title, class: look = '', ...map }: Props) => (
  <DialogButton title={title} label={label} class={look}>
    {(close) => <Form {...map} onDone={close} />}
  </DialogButton>
)

function Form({
  from = '',
  to = '',
  before,
  onDone,
}: Omit<Props, 'title' | 'label'> & { readonly onDone: () => void }) {
  const map = useSignal({ from, to })
  const refused = useSignal<RequestError | undefined>(undefined)
  const isSettled = useDebounced(JSON.stringify(map.value))
  const objections = { from: validateMapFrom(map.value.from), to: validateMapTo(map.value.to) }
  const wrong = (side: 'from' | 'to') => {
    const found = refused.value?.errors.find(({ path }) => path.endsWith(`.${side}`))
    const isTyped = isSettled && map.value[side] !== ''
    const message = found?.message ?? (isTyped ? objections[side] : null)
    return message === null ? undefined : `It ${message}.`
  }
  const change = (changes: Partial<typeof map.value>) => {
    map.value = { ...map.value, ...changes }
    refused.value = undefined
  }
  const isSound = isSettled && objections.from === null && objections.to === null
  const freed = isSound ? countReleased(map.value, before) : 0
  const save = async () => {
    refused.value = await saveMap(map.value, before)
    if (refused.value === undefined) onDone()
  }

  return (
    <DialogForm
      verb="Save"
      isWide
      onSubmit={save}
      onCancel={onDone}
      refused={refused.value?.errors.length === 0 ? refused.value.message : undefined}
    >
      <TextField
        label="What is meant for"
        hint="An origin, or https://*.example.com for every one below a domain."
        inputMode="url"
        placeholder="https://shop.example.com"
        isRequired
        value={map.value.from}
        error={wrong('from')}
        onValue={(text) => change({ from: text })}
      />
      <TextField
        label="Goes to"
        hint="Path and query are kept. A path here is put before; /tunnel/<name> captures."
        inputMode="url"
        placeholder="http://localhost:3000"
        isRequired
        value={map.value.to}
        error={wrong('to')}
        onValue={(text) => change({ to: text })}
      />
      <p class="muted" role="status">
        {freed > 0 &&
          `${plural(freed, 'held webhook')} will go out where ${freed === 1 ? 'it leads' : 'they lead'}.`}
      </p>
    </DialogForm>
  )
}
