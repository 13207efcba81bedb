import { useId } from 'preact/hooks'

interface Props<Value extends string> {
  /** What the options are about. Only screen readers get this text. */
  readonly label: string
  readonly options: readonly (readonly [value: Value, text: string])[]
  /** `undefined` if no option is selected. */
  readonly value: Value | undefined
  readonly isDisabled?: boolean
  readonly onValue: (value: Value) => void
}

/** A group of radio buttons in one row. */
export function Segmented<Value extends string>(props: Props<Value>) {
  const { label, options, value, isDisabled = false, onValue } = props
  const name = useId()
  return (
    <fieldset class="segmented" disabled={isDisabled}>
      <legend class="visually-hidden">{label}</legend>
      {options.map(([option, text]) => (
        <label key={option}>
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            checked={option === value}
            onChange={() => onValue(option)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
