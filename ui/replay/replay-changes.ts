import { bodyLines, diffLines, type DiffLine } from '../compare/diff-lines.ts'
import { compareLists } from '../compare/differences.ts'
import { editableFields } from './editable-fields.ts'

/** What is sent, and where. */
interface ReplayContent {
  readonly to: string
  readonly body: string
}

/** The changes to be sent: the address, and the fields. If no field differs, the bytes. */
export function changesOf(
  original: ReplayContent,
  draft: ReplayContent,
  isForm: boolean,
): readonly DiffLine[] {
  const address = original.to === draft.to ? [] : replaced(`To ${original.to}`, `To ${draft.to}`)
  return [...address, ...bodyChanges(original.body, draft.body, isForm)]
}

function bodyChanges(before: string, after: string, isForm: boolean): readonly DiffLine[] {
  if (before === after) return []
  const [old, changed] = [before, after].map((text) =>
    editableFields(text, isForm)?.map(
      // Compares the encoded values, because quotes distinguish text from numbers in JSON.
      ({ name, value, encoded }) => [name, isForm ? value : encoded] as const,
    ),
  )
  const fields = (old && changed && compareLists(old, changed).different) ?? []
  if (fields.length > 0) {
    return fields.flatMap(({ name, left, right }) => [
      ...(left === undefined ? [] : lines('removed', `${name}=${left}`)),
      ...(right === undefined ? [] : lines('added', `${name}=${right}`)),
    ])
  }
  return diffLines(bodyLines(before, isForm), bodyLines(after, isForm)).filter(({ kind }) => kind !== 'equal')
}

const replaced = (left: string, right: string): DiffLine[] => [
  ...lines('removed', left),
  ...lines('added', right),
]

const lines = (kind: DiffLine['kind'], text: string): DiffLine[] =>
  text.split('\n').map((line) => ({ kind, text: line }))
