import { useError } from '../../data/use-error.ts'
import { DEBOUNCE_MS } from '../../data/resource.ts'
import { useEffect, useState } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { whyInvalidMapOrigin, whyInvalidMapTarget } from '../../../server/domain/network/validate-map.ts'
import { plural } from '../../../server/contract/format/values.ts'
import type { SandboxError } from '../../../server/contract/sandbox-error.ts'
import { fieldErrorText } from '../../data/api.ts'
import { DialogButton } from '../../components/dialog-button.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { TextField } from '../../components/field.tsx'
import { saveMap, egressRules } from '../../data/egress-rules.ts'
import { isNowAllowed } from '../../../server/domain/network/egress-rules.ts'
import { normalizeMap, type OriginMap } from '../../../server/domain/network/origin-map.ts'
import { heldWebhookEvents } from './held-webhook-events.ts'

interface Props {
  readonly title: string
  /** The text of the button, by default the title. */
  readonly label?: string
  readonly class?: string
  readonly from?: string
  readonly to?: string
  /** The origin whose map is edited. */
  readonly before?: string
}

/** A button that opens the form of a map. */
export const MapButton = ({ title, label = title, class: className = '', ...map }: Props) => (
  <DialogButton title={title} label={label} class={className}>
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
  const error = useError<SandboxError>()
  const text = JSON.stringify(map.value)
  // Errors appear only when the user pauses typing.
  const isPaused = useDebounced(text) === text
  const problems = { from: whyInvalidMapOrigin(map.value.from), to: whyInvalidMapTarget(map.value.to) }
  const isValid = isPaused && problems.from === null && problems.to === null
  const allowed = isValid ? countAllowedByMap(map.value, before) : 0

  const errorOf = (side: 'from' | 'to') => {
    const rejected = error.value?.errors.find(({ path }) => path.endsWith(`.${side}`))
    const message = rejected?.message ?? (isPaused && map.value[side] !== '' ? problems[side] : null)
    return message === null ? undefined : fieldErrorText(message)
  }
  const change = (changes: Partial<typeof map.value>) => {
    map.value = { ...map.value, ...changes }
    error.value = undefined
  }
  const save = async () => {
    error.value = await saveMap(map.value, before)
    if (error.value === undefined) onDone()
  }

  return (
    <DialogForm
      verb="Save"
      isWide
      onSubmit={save}
      onCancel={onDone}
      error={error.value?.errors.length === 0 ? error.value.detail : undefined}
    >
      <TextField
        label="Map from"
        hint="An origin, or https://*.example.com for all subdomains."
        inputMode="url"
        placeholder="https://shop.example.com"
        isRequired
        value={map.value.from}
        error={errorOf('from')}
        onValue={(value) => change({ from: value })}
      />
      <TextField
        label="Map to"
        hint="The path and query of a request are appended. /tunnel/<name> captures requests."
        inputMode="url"
        placeholder="http://localhost:3000"
        isRequired
        value={map.value.to}
        error={errorOf('to')}
        onValue={(value) => change({ to: value })}
      />
      <p class="muted" role="status">
        {allowed > 0 && `Saving sends ${plural(allowed, 'held webhook')}.`}
      </p>
    </DialogForm>
  )
}

/** The text at the last pause in typing. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

/** How many held webhooks would be sent if this map replaced the map from `before`. */
function countAllowedByMap(map: OriginMap, before: string | undefined): number {
  if (egressRules.value.state !== 'loaded') return 0
  const { maps, allowedHosts } = egressRules.value.value
  const added = normalizeMap(map)
  const next = [...maps.filter(({ from }) => from !== before && from !== added.from), added]
  return heldWebhookEvents.value.filter(({ target }) =>
    isNowAllowed(target, { maps, allowedHosts }, { maps: next, allowedHosts }),
  ).length
}
