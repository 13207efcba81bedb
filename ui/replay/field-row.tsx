import { useId } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'
import type { EditableField } from './editable-fields.ts'
import { defectOf, suggestionsFor } from './webhook-field.ts'

const MAX_NAME = 100

interface Props {
  readonly field: EditableField
  /** `undefined` for a field that was added. */
  readonly original: EditableField | undefined
  readonly isForm: boolean
  readonly onValue: (value: string) => void
  readonly onRestore: (original: EditableField) => void
  readonly onRemove: () => void
}

const UndoButton = ({ name, onClick }: { readonly name: string; readonly onClick: () => void }) => (
  <button type="button" class="undo" aria-label={`Restore ${name}`} title="Restore" onClick={onClick}>
    <Icon name="undo" size={14} />
  </button>
)

interface RemovedProps {
  readonly original: EditableField
  readonly onRestore: () => void
}

/** A field of the original that the edited body does not have. */
export const RemovedField = ({ original: { name, value }, onRestore }: RemovedProps) => (
  <div class="replay-field" data-changed="true">
    <span class="label">{name.slice(0, MAX_NAME)}</span>
    <del>
      <bdi>{value}</bdi>
    </del>
    <span class="muted was">removed</span>
    <UndoButton name={name} onClick={onRestore} />
  </div>
)

/** A field of a webhook, with its original value. */
export function FieldRow({ field, original, isForm, onValue, onRestore, onRemove }: Props) {
  const { name, value, encoded } = field
  const id = useId()
  const isChanged = encoded !== original?.encoded
  const defect = defectOf(field)
  const suggestions = suggestionsFor(field)
  const control = {
    id,
    spellcheck: false,
    value,
    'aria-describedby': `${id}-about`,
    'aria-invalid': defect !== undefined,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onValue(currentTarget.value),
  }
  return (
    <div class="replay-field" data-changed={isChanged}>
      <label for={id}>{name.slice(0, MAX_NAME)}</label>
      {/* A field of one line would drop line breaks. */}
      {/[\r\n]/.test(original?.value ?? value) ? (
        <textarea {...control} rows={2} />
      ) : (
        <input {...control} type="text" autocomplete="off" list={`${id}-values`} />
      )}
      <span id={`${id}-about`} class="about-field">
        {isChanged && (
          <span class="muted was">
            {original === undefined ? (
              'added'
            ) : (
              <>was {original.value === '' ? 'empty' : <bdi>{original.value}</bdi>}</>
            )}
          </span>
        )}
        {defect !== undefined && (
          <span class="defect">
            {defect}. Sent {isForm || !encoded.startsWith('"') ? 'as it is' : 'as a string'}.
          </span>
        )}
      </span>
      {isChanged && original ? (
        <UndoButton name={name} onClick={() => onRestore(original)} />
      ) : (
        <button
          type="button"
          class="undo remove"
          aria-label={`Remove ${name}`}
          title="Remove"
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </button>
      )}
      {suggestions.length > 0 && (
        <datalist id={`${id}-values`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </div>
  )
}
