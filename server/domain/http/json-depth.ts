/** The maximum nesting depth of bodies in the v2 API and the control API. */
export const MAX_JSON_DEPTH = 32

/** The maximum number of keys in a body of the control API, counting all objects. Seeds may have more. */
export const MAX_JSON_KEYS = 1_000

/** Measures the nesting depth and the number of keys of a JSON text before it is parsed, without recursion. */
export function measureJson(text: string): { readonly depth: number; readonly keys: number } {
  let depth = 0
  let deepest = 0
  let keys = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
    else if (character === ':') keys++
  }
  return { depth: deepest, keys }
}
