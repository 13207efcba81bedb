import { isJson } from '../../server/domain/text/is-json.ts'
export interface JsonToken {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'mark'
  readonly text: string
}

export const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g

/**
 * Formats JSON with line breaks. Keeps the values as they are written, such as `100.00` and numbers that JavaScript cannot
 * represent. `undefined` if the text is not JSON.
 */
export function layOutJson(text: string): JsonToken[] | undefined {
  if (!isJson(text)) return undefined
  const written = text.match(JSON_TOKEN) ?? []
  const tokens: JsonToken[] = []
  let depth = 0
  const breakLine = () => tokens.push({ kind: 'mark', text: `\n${'  '.repeat(depth)}` })

  for (const [index, token] of written.entries()) {
    const next = written[index + 1]
    if (token === '{' || token === '[') {
      tokens.push({ kind: 'mark', text: token })
      depth += 1
      if (next !== '}' && next !== ']') breakLine()
    } else if (token === '}' || token === ']') {
      depth -= 1
      if (written[index - 1] !== '{' && written[index - 1] !== '[') breakLine()
      tokens.push({ kind: 'mark', text: token })
    } else if (token === ',') {
      tokens.push({ kind: 'mark', text: token })
      breakLine()
    } else if (token === ':') {
      tokens.push({ kind: 'mark', text: ': ' })
    } else {
      tokens.push({ kind: kindOf(token, next), text: token })
    }
  }
  return tokens
}

function kindOf(token: string, next: string | undefined): JsonToken['kind'] {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'string'
  return /^[tfn]/.test(token) ? 'word' : 'number'
}
