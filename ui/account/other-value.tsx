import { choose } from './behavior-resource.ts'

interface Props {
  readonly name: string
  readonly pattern: string
  /** Empty while one of the named options is in force. */
  readonly value: string
}

/** Takes a value that is none of the named options, such as `60/min`. */
export function OtherValue({ name, pattern, value }: Props) {
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    void choose(name, String(new FormData(event.currentTarget).get('value')))
  }
  return (
    <form class="other" onSubmit={submit}>
      <label>
        <span>{pattern}</span>
        <input name="value" defaultValue={value} required autoComplete="off" spellcheck={false} />
      </label>
      <button type="submit" class="small">
        Set
      </button>
    </form>
  )
}
