import type { ComponentChildren } from 'preact'

interface FrameProps {
  readonly label: string
  readonly hint?: ComponentChildren
  /** Why the value cannot be used as it is. */
  readonly error?: string | undefined
  readonly children: ComponentChildren
}

/** A control with its label, a hint and what is wrong with it. */
export function FieldFrame({ label, hint, error, children }: FrameProps) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      {children}
      {hint !== undefined && <span class="muted">{hint}</span>}
      {error !== undefined && (
        <span class="wrong" role="alert">
          {error}
        </span>
      )}
    </label>
  )
}

interface TextFieldProps extends Omit<FrameProps, 'children'> {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly placeholder?: string
  readonly isRequired?: boolean
  readonly inputMode?: 'text' | 'decimal' | 'url'
  /** The id of a `datalist` with suggestions. */
  readonly list?: string
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, value, onValue, placeholder = '', isRequired = false, inputMode, list } = props
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        required={isRequired}
        inputMode={inputMode}
        list={list}
        value={value}
        aria-invalid={error !== undefined}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </FieldFrame>
  )
}
