import { storedChoice } from '../browser/local-storage.ts'
import { Segmented } from '../components/segmented.tsx'
import type { BodyEdits } from './body-edits.ts'
import type { ReplayDraft } from './replay-state.ts'
import { findField, presetsFor } from './webhook-field.ts'

export const editMode = storedChoice('replay', ['fields', 'bytes'])

interface Props {
  readonly edits: BodyEdits
  readonly isTwice: boolean
  readonly onChange: (changes: Partial<ReplayDraft>) => void
}

/** Buttons for common changes, and the choice between fields and bytes. */
export const Presets = ({ edits: { originalFields, fields, restore, write }, isTwice, onChange }: Props) => (
  <div class="presets" role="group" aria-label="Presets">
    {presetsFor(originalFields).map(({ label, name, value }) => {
      const field = findField(fields, name)
      const before = findField(originalFields, name)!
      const isPressed = field?.value === value
      return (
        <button
          key={label}
          type="button"
          disabled={!field}
          aria-pressed={isPressed}
          onClick={() =>
            field && onChange({ body: isPressed ? restore(field, before) : write(field, value) })
          }
        >
          {label}
        </button>
      )
    })}
    <button type="button" aria-pressed={isTwice} onClick={() => onChange({ isTwice: !isTwice })}>
      Twice
    </button>
    <Segmented
      label="What to edit"
      options={[
        ['fields', 'Fields'],
        ['bytes', 'Bytes'],
      ]}
      value={editMode.value}
      onValue={(value) => (editMode.value = value)}
    />
  </div>
)
