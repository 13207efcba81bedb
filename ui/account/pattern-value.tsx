import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly name: string
  /** Such as `<n>/min` or `<waits>`. */
  readonly pattern: string
  /** `undefined` while another option is active. */
  readonly value: string | undefined
  readonly meaning: string
  readonly onChoose: (value: string) => void
}

/** An option with a free value. For a pattern such as `<n>/min`, the field contains only the number. */
export function PatternValue({ name, pattern, value, meaning, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [before = '', after = ''] = pattern.split('<n>')
  const isNumber = pattern.includes('<n>')
  const known = isNumber ? value?.slice(before.length, value.length - after.length) : value
  // Keeps the typed text until it is active: the response to an earlier choice may still arrive.
  const typed = useSignal<string | undefined>(undefined)
  const text = typed.value ?? known ?? (isNumber ? '60' : '')
  useEffect(() => {
    if (known === typed.peek()) typed.value = undefined
  }, [known, typed])

  const submit = () => {
    const wanted = text.trim()
    if (wanted === '') input.current?.focus()
    else onChoose(isNumber ? before + wanted + after : wanted)
  }

  // A form would separate the radio button from the group.
  return (
    <div class="pattern">
      <label class="option">
        <input type="radio" name={name} checked={value !== undefined} onChange={submit} />
        <span>
          <code>{pattern}</code> <span class="muted">{meaning}</span>
        </span>
      </label>
      <div class="save">
        <input
          ref={input}
          type={isNumber ? 'number' : 'text'}
          // The types require it for a type that varies.
          list={undefined}
          min={1}
          autocomplete="off"
          spellcheck={false}
          aria-label={`${name}: ${isNumber ? 'n of ' : ''}${pattern}`}
          value={text}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && submit()}
        />
        {isNumber && <span>{after}</span>}
        <button type="button" aria-label={`Set ${name}`} onClick={submit}>
          Set
        </button>
      </div>
    </div>
  )
}
