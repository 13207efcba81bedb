import { createTurns } from './turns.ts'

/** Returns the JSON of an object with long lists, like `JSON.stringify`, but lets other work run in between. */
export async function jsonInTurns(value: object, indent: number): Promise<string> {
  const letOthersRun = createTurns()
  const lineAt = (depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)
  const textAt = (depth: number, part: unknown): string =>
    (JSON.stringify(part, null, indent) ?? 'null').replaceAll('\n', lineAt(depth))
  const enclose = ([open, close]: string, parts: readonly string[], depth: number): string =>
    parts.length === 0
      ? `${open}${close}`
      : `${open}${lineAt(depth + 1)}${parts.join(`,${lineAt(depth + 1)}`)}${lineAt(depth)}${close}`

  async function list(items: readonly unknown[]): Promise<string> {
    const parts: string[] = []
    for (const item of items) {
      parts.push(textAt(2, item))
      await letOthersRun()
    }
    return enclose('[]', parts, 1)
  }

  const fields: string[] = []
  for (const [name, field] of Object.entries(value) as [string, unknown][]) {
    if (field === undefined) continue
    const text = Array.isArray(field) ? await list(field) : textAt(1, field)
    fields.push(`${JSON.stringify(name)}:${indent === 0 ? '' : ' '}${text}`)
  }
  return enclose('{}', fields, 0)
}
