import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly name: string
  /** `<n>/min`, or in words what may be typed. */
  readonly pattern: string
  /** `undefined` while another option is in force. */
  readonly value: string | undefined
  readonly meaning: string
  readonly onChoose: (value: string) => void
}

/** A value that is none of the named options. Where the pattern has a number in it, only that is asked for. */
export function PatternValue({ name, pattern, value, meaning, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [before = '', after = ''] = pattern.split('<n>')
  const isNumber = pattern.includes('<n>')
  const known = isNumber ? value?.slice(before.length, value.length - after.length) : value
  // What is typed stands until it is in force: the answer to an earlier choice may still be on its way.
  const typed = useSignal<string | undefined>(undefined)
  const text = typed.value ?? known ?? (isNumber ? '60' : '')
  useEffect(() => {
    if (known === typed.peek()) typed.value = undefined
  }, [known, typed])

  const put = () => {
    const wanted = text.trim()
    if (wanted === '') input.current?.focus()
    else onChoose(isNumber ? before + wanted + after : wanted)
  }

  // No form, which would be the group of its radio button alone.
  return (
    <div class="pattern">
      <label class="option">
        <input type="radio" name={name} checked={value !== undefined} onChange={put} />
        <span>
          <code>{pattern}</code> <span class="muted">{meaning}</span>
        </span>
      </label>
      <div class="save">
        <input
          ref={input}
          type={isNumber ? 'number' : 'text'}
          list={undefined}
          min={1}
          autocomplete="off"
          spellcheck={false}
          aria-label={`${name}: ${isNumber ? 'n of ' : ''}${pattern}`}
          value={text}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && put()}
        />
        {isNumber && <span>{after}</span>}
        <button type="button" aria-label={`Set ${name}`} onClick={put}>
          Set
        </button>
      </div>
    </div>
  )
}
