import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** Attributes that connect a control to its label, hint and error. */
interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

interface FrameProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly children: (control: ControlProps) => ComponentChildren
}

/** A control with a label, a hint and an error. */
function FieldFrame({ label, hint, error, children }: FrameProps) {
  const id = useId()
  const about = hint === undefined && error === undefined ? undefined : `${id}-about`
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': error !== undefined })}
      {about !== undefined && (
        <div id={about}>
          {hint !== undefined && <span class="muted">{hint}</span>}
          {error !== undefined && (
            <span class="error" role="alert">
              {error}
            </span>
          )}
        </div>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FrameProps, 'children'> {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly isRequired?: boolean
  readonly placeholder?: string
  readonly inputMode?: 'text' | 'decimal' | 'url'
}

/** A text field of one line. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, value, onValue, isRequired = false, inputMode, placeholder } = props
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          type="text"
          autocomplete="off"
          spellcheck={false}
          required={isRequired}
          inputMode={inputMode}
          placeholder={placeholder}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </FieldFrame>
  )
}

interface TextAreaProps extends Omit<FrameProps, 'children'> {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly rows: number
}

export const TextArea = ({ value, onValue, rows, ...frame }: TextAreaProps) => (
  <FieldFrame {...frame}>
    {(control) => (
      <textarea
        {...control}
        rows={rows}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    )}
  </FieldFrame>
)

interface SelectProps extends Omit<FrameProps, 'children'> {
  readonly value: string | undefined
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onValue: (value: string) => void
}

export const Select = ({ value, options, onValue, ...frame }: SelectProps) => (
  <FieldFrame {...frame}>
    {(control) => (
      <select {...control} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
)
