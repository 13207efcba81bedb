/** The value of a JSON text. `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isJson = (text: string): boolean => parseJson(text) !== undefined

/** Parses a text that is a JSON list. Returns any other value unchanged. */
export function parseJsonList(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined
  return Array.isArray(parsed) ? parsed : value
}
