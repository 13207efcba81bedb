import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

interface Props {
  readonly name: string
  /** The options that do not match the pattern. An empty field means the first of them. */
  readonly options: readonly string[]
  /** Like `<n>/min` or `<waits>`. */
  readonly pattern: string
  readonly value: string
  readonly hasError: boolean
  readonly onValue: (value: string) => void
}

/** The value of a behavior that accepts more than a few options. It is set on Enter, or when the field loses the focus. */
export function ValueField({ name, options, pattern, value, hasError, onValue }: Props) {
  const [first = ''] = options
  // If there are several options, a button shows the chosen one.
  const shown = options.length > 1 && options.includes(value) ? '' : value
  // Keeps the typed text until it is the active value, because the response to an earlier change may still arrive.
  const typed = useSignal<string | undefined>(undefined)
  useEffect(() => {
    if (value === typed.peek()) typed.value = undefined
  }, [value, typed])

  const submit = () => {
    const text = typed.peek()?.trim()
    if (text === undefined) return
    if (text === shown) {
      typed.value = undefined
      return
    }
    // For a pattern such as `<n>/min`, the number alone is enough.
    const completed = /^\d+$/.test(text) ? pattern.replace('<n>', text) : text === '' ? first : text
    typed.value = completed === value ? undefined : completed
    if (completed !== value) onValue(completed)
  }

  return (
    <input
      type="text"
      class="value-field"
      autocomplete="off"
      spellcheck={false}
      aria-label={`${name}: ${[...options, pattern].join(' or ')}`}
      aria-invalid={hasError}
      placeholder={pattern}
      value={typed.value ?? shown}
      onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      onChange={submit}
      onKeyDown={({ key }) => {
        if (key === 'Escape') typed.value = undefined
      }}
    />
  )
}
