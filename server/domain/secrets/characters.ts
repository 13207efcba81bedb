/**
 * Characters that were decoded from a text, with the part of the text that each was decoded from: from `starts[i]` up to
 * `ends[i]`, which is not included. Typed arrays, because a body can have a million characters.
 */
export interface Characters {
  readonly codes: Uint16Array
  readonly starts: Int32Array
  readonly ends: Int32Array
}

export function charactersOf(text: string): Characters {
  const characters = emptyCharacters(text.length)
  for (let at = 0; at < text.length; at += 1) {
    characters.codes[at] = text.charCodeAt(at)
    characters.starts[at] = at
    characters.ends[at] = at + 1
  }
  return characters
}

export const emptyCharacters = (length: number): Characters => ({
  codes: new Uint16Array(length),
  starts: new Int32Array(length),
  ends: new Int32Array(length),
})

export const firstOf = ({ codes, starts, ends }: Characters, length: number): Characters => ({
  codes: codes.subarray(0, length),
  starts: starts.subarray(0, length),
  ends: ends.subarray(0, length),
})
