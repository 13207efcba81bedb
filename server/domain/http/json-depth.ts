/** No body of the API or the control API is nested as deeply as this. */
export const MAX_JSON_DEPTH = 32

/** No body of the control API but a seed has as many keys as this, all objects together. */
export const MAX_JSON_KEYS = 1_000

/** How deep brackets are nested, and how many keys there are, found without recursion before anything is parsed. */
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
