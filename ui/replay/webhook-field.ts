import {
  formFieldName,
  isNumberField,
  statusTexts,
  webhookFields,
  type WebhookFieldName,
} from '../../server/domain/webhooks/webhook.ts'
import type { EditableField } from './editable-fields.ts'

/** The fields that a forgery usually changes come first. All others follow in the sequence of the table. */
const FIRST: readonly WebhookFieldName[] = ['amount', 'note', 'status']

const names = [...new Set([...FIRST, ...(Object.keys(webhookFields) as WebhookFieldName[])])]

const nameOf = (field: string): WebhookFieldName | undefined =>
  names.find((name) => formFieldName(name) === field)

/** Sorts the fields of a body. Fields that webhooks do not have come last. */
export function sortFields(fields: readonly EditableField[]): EditableField[] {
  return fields.toSorted((one, other) => positionOf(one) - positionOf(other))
}

function positionOf({ name }: EditableField): number {
  const fieldName = nameOf(name)
  return fieldName === undefined ? names.length : names.indexOf(fieldName)
}

/** Finds the first field of a body by its name in the table of webhook fields. */
export const findField = (
  fields: readonly EditableField[] | undefined,
  name: WebhookFieldName,
): EditableField | undefined => fields?.find((field) => field.name === formFieldName(name))

/** Whether the value is a string, which JSON quotes even if it looks like a number. */
export function isTextField({ name, encoded }: EditableField): boolean {
  const fieldName = nameOf(name)
  return fieldName === undefined ? encoded.startsWith('"') : !isNumberField(fieldName)
}

/** The values that the reference documents for a field, for suggestions. */
export function suggestionsFor({ name }: EditableField): readonly string[] {
  const fieldName = nameOf(name)
  return fieldName !== undefined && webhookFields[fieldName].type === 'status' ? statusTexts : []
}

/** What is wrong with a value. `undefined` if a webhook could have it. A wrong value can be sent. */
export function defectOf({ name, value, encoded }: EditableField): string | undefined {
  const fieldName = nameOf(name)
  if (fieldName === undefined) return undefined
  const defect = defects[webhookFields[fieldName].type](value)
  if (defect !== undefined) return defect
  return isNumberField(fieldName) && encoded.startsWith('"') ? 'A string, not a number' : undefined
}

const defects: Readonly<
  Record<(typeof webhookFields)[WebhookFieldName]['type'], (value: string) => string | undefined>
> = {
  integer: (value) => (/^-?\d+$/.test(value) ? undefined : 'Not a whole number'),
  number: (value) => (/^-?\d+(\.\d+)?$/.test(value) ? undefined : 'Not a number'),
  text: () => undefined,
  status: (value) => (statusTexts.some((known) => known === value) ? undefined : 'Not a documented status'),
}

interface Preset {
  readonly label: string
  readonly name: WebhookFieldName
  readonly value: string
}

/** Common changes of a webhook, made from the fields of the original. */
export function presetsFor(original: readonly EditableField[]): Preset[] {
  const [amount, status, note] = (['amount', 'status', 'note'] as const).map((name) =>
    findField(original, name),
  )
  return [
    ...(amount
      ? [{ label: 'Other amount', name: 'amount', value: amount.value === '0.01' ? '1' : '0.01' } as const]
      : []),
    ...(status
      ? [
          status.value === 'cancel'
            ? ({ label: 'Success', name: 'status', value: 'Success' } as const)
            : ({ label: 'Cancel', name: 'status', value: 'cancel' } as const),
        ]
      : []),
    ...(note && note.value !== '' ? [{ label: 'No note', name: 'note', value: '' } as const] : []),
  ]
}
