/**
 * The characters of a text, or characters that were decoded from it. `startOf` and `endOf` give the part of the text that a
 * character was decoded from. The end is not included.
 */
export interface Characters {
  readonly codes: Uint16Array
  readonly startOf: (at: number) => number
  readonly endOf: (at: number) => number
}

export function charactersOf(text: string): Characters {
  const codes = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) codes[at] = text.charCodeAt(at)
  return { codes, startOf: (at) => at, endOf: (at) => at + 1 }
}
