/**
 * The characters of a text, or characters that were decoded from it. `startOf` and `endOf` tell which part of the text a
 * character was decoded from.
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

// Codes of characters.
export const TAB = 9
export const LINE_FEED = 10
export const CARRIAGE_RETURN = 13
export const SPACE = 32
export const HASH = 35
export const PERCENT = 37
export const AMPERSAND = 38
export const SEMICOLON = 59
export const EQUALS = 61
export const LETTER_CAPITAL_U = 85
export const BACKSLASH = 92
export const LETTER_U = 117
export const LETTER_X = 120
export const OPENING_BRACE = 123
export const CLOSING_BRACE = 125
