import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'

interface Props {
  readonly isForm: boolean
  /** Adds a field, and returns whether the body has a place for it. */
  readonly onAdd: (name: string) => boolean
}

/** Adds an empty field to the body, to test how a receiver treats fields that it does not know. */
export function AddField({ isForm, onAdd }: Props) {
  const name = useSignal<string | undefined>(undefined)
  const hasNoPlace = useSignal(false)
  const id = useId()

  if (name.value === undefined) {
    return (
      <button type="button" class="link add-field" onClick={() => (name.value = '')}>
        Add a field
      </button>
    )
  }
  const add = () => {
    const newName = name.value!.trim()
    if (newName === '') return
    hasNoPlace.value = !onAdd(newName)
    if (!hasNoPlace.value) name.value = undefined
  }
  return (
    <div class="replay-field">
      <label for={id}>New field</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder="data[order_id]"
        aria-invalid={hasNoPlace.value}
        aria-describedby={`${id}-problem`}
        // The button no longer exists, so the focus would be lost.
        ref={(input) => {
          if (input && name.peek() === '') input.focus()
        }}
        value={name.value}
        onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        onKeyDown={(pressed) => {
          if (pressed.key === 'Escape') name.value = undefined
          else if (pressed.key === 'Enter' && !pressed.ctrlKey && !pressed.metaKey) add()
          else return
          pressed.preventDefault()
          pressed.stopPropagation()
        }}
      />
      <button type="button" class="add" onClick={add}>
        Add
      </button>
      <span id={`${id}-problem`} class="defect" role="status">
        {hasNoPlace.value && !isForm && 'The JSON has no object for this field.'}
      </span>
    </div>
  )
}
