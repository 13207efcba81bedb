import type { JsonToken } from './json-layout.ts'

/** A list or an object that can be folded away: its first line, and what is between that and its last. */
export interface Fold {
  readonly head: readonly JsonToken[]
  readonly parts: readonly Part[]
  readonly lines: number
}

export type Part = JsonToken | Fold

interface OpenFold {
  readonly head: JsonToken[]
  readonly parts: Part[]
  lines: number
}

export const isFold = (part: Part): part is Fold => 'head' in part

const isBreak = ({ text }: JsonToken): boolean => text.startsWith('\n')

export const lineCount = (tokens: readonly JsonToken[]): number => 1 + tokens.filter(isBreak).length

/**
 * Finds what can be folded in laid out JSON. A fold is a block of its own, so the ends of line around it and
 * inside it go; the spaces after them stay.
 */
export function foldsOf(tokens: readonly JsonToken[]): Part[] {
  const root: OpenFold = { head: [], parts: [], lines: 0 }
  const open = [root]

  for (const [index, token] of tokens.entries()) {
    const fold = open.at(-1)!
    const next = tokens[index + 1]
    if (isBreak(token)) for (const around of open) around.lines += 1

    if (/^[{[]$/.test(token.text) && next && isBreak(next)) {
      open.push({ head: [...lastLine(fold.parts), token], parts: [], lines: 0 })
    } else if (isBreak(token) && next && /^[}\]]$/.test(next.text) && open.length > 1) {
      open.pop()
      open.at(-1)!.parts.push(fold, indent(token))
    } else {
      const isFirst = fold.parts.length === 0 && fold !== root
      fold.parts.push(isFirst && isBreak(token) ? indent(token) : token)
    }
  }
  return root.parts
}

/** Takes the beginning of a line back, to put it before the bracket that opens a fold. */
function lastLine(parts: Part[]): JsonToken[] {
  const start = parts.findLastIndex((part) => isFold(part) || isBreak(part))
  const from = start === -1 || isFold(parts[start]!) ? start + 1 : start
  const line = parts.splice(from) as JsonToken[]
  return line.map((token) => (isBreak(token) ? indent(token) : token))
}

const indent = ({ text }: JsonToken): JsonToken => ({ kind: 'mark', text: text.slice(1) })
