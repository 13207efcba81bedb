import {
  editableFields,
  encodeFormValue,
  encodeJsonValue,
  insertField,
  newPair,
  pairOf,
  removeField,
  replaceField,
  type EditableField,
} from './editable-fields.ts'
import { isTextField } from './webhook-field.ts'

export type BodyEdits = ReturnType<typeof createBodyEdits>

/** The fields of an edited body. Each method returns the body after another change. */
export function createBodyEdits(original: string, edited: string, isForm: boolean) {
  const originalFields = editableFields(original, isForm) ?? []
  /** `undefined` if the edited body has no fields. */
  const fields = editableFields(edited, isForm)

  /** The field of the original with the same name. If several fields have this name, the one at the same position. */
  const originalOf = (field: EditableField): EditableField | undefined =>
    sameName(originalFields, field)[sameName(fields ?? [], field).indexOf(field)]

  const insert = (name: string, pair: string, names: readonly string[]): string | undefined =>
    insertField(edited, { name, pair, names }, isForm)

  return {
    originalFields,
    fields,
    originalOf,
    removed: originalFields.filter(
      (field) => sameName(originalFields, field).indexOf(field) >= sameName(fields ?? [], field).length,
    ),
    write(field: EditableField, value: string): string {
      const encoded = isForm
        ? encodeFormValue(value)
        : encodeJsonValue(value, isTextField(originalOf(field) ?? field))
      return replaceField(edited, field, encoded)
    },
    restore: (field: EditableField, before: EditableField): string =>
      replaceField(edited, field, before.encoded),
    remove: (field: EditableField): string => removeField(edited, field, isForm),
    /** Restores a field. If the edited body has no place for it, returns the original body. */
    putBack: (field: EditableField): string =>
      insert(
        field.name,
        pairOf(original, field),
        originalFields.map(({ name }) => name),
      ) ?? original,
    /** Adds an empty field at the end. `undefined` if the body has no place for it. */
    add: (name: string): string | undefined =>
      insert(name, newPair(name, isForm), [...(fields ?? []).map((known) => known.name), name]),
  }
}

const sameName = (list: readonly EditableField[], { name }: EditableField): EditableField[] =>
  list.filter((field) => field.name === name)
