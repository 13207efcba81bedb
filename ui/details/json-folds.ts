import type { JsonToken } from '../components/json-layout.ts'

/** An array or an object that can be collapsed: its first line, and the parts before its last line. */
interface Fold {
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
 * Turns formatted JSON into a tree of folds. A fold is a block element, so the line breaks around it are removed. The
 * indentation stays.
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

/** Removes the beginning of the current line from the parts, because it belongs to the first line of the fold. */
function lastLine(parts: Part[]): JsonToken[] {
  const start = parts.findLastIndex((part) => isFold(part) || isBreak(part))
  const from = start === -1 || isFold(parts[start]!) ? start + 1 : start
  const line = parts.splice(from) as JsonToken[]
  return line.map((token) => (isBreak(token) ? indent(token) : token))
}

const indent = ({ text }: JsonToken): JsonToken => ({ kind: 'mark', text: text.slice(1) })
