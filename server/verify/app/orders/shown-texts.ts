import type { SecretFinder } from '../../../domain/secrets/secret-finder.ts'

/** The texts that an app has shown, which are searched for its API key at the end of a check. */
export interface ShownTexts {
  /** Keeps a text, and the address or the name of its page. */
  add(where: string, text: string): void
  /** Keeps header fields, one per line. */
  addHeaders(where: string, lines: string): void
  all(): readonly string[]
  /** Where the app has shown the key first, and in which encoding: `the page X contains the API key as base64`. `undefined` if it has not shown it. */
  showsKey(key: SecretFinder): string | undefined
}

/** Keeps each text once, because most responses of an app are the same. */
export function createShownTexts(): ShownTexts {
  const places = new Map<string, { readonly where: string; readonly areHeaders: boolean }>()
  const keep = (text: string, where: string, areHeaders: boolean): void => {
    if (!places.has(text)) places.set(text, { where, areHeaders })
  }
  return {
    add: (where, text) => keep(text, where, false),
    // Without the date, which would make the header of each response a new text.
    addHeaders: (where, lines) => keep(lines.replaceAll(/^date:.*\n?/gim, ''), where, true),
    all: () => [...places.keys()],
    showsKey(key) {
      const [text, place] = [...places].find(([one]) => key.isIn(one)) ?? []
      if (text === undefined || place === undefined) return undefined
      const header = place.areHeaders ? text.split('\n').find((line) => key.isIn(line)) : undefined
      const where =
        header === undefined ? place.where : `the header ${header.split(':')[0]} of ${place.where}`
      return `${where} contains the API key${encodingOf(text, key)}`
    },
  }
}

/** The encodings that a person does not recognize at first sight. */
const ENCODINGS = [
  { name: 'base64', encoding: 'base64', words: /[\w+/-]{8,}/g, offsets: [0, 1, 2, 3] },
  { name: 'hexadecimal digits', encoding: 'hex', words: /[\da-f]{16,}/gi, offsets: [0, 1] },
] as const

/** ` as base64`. Empty if the key is readable, or in a different encoding. */
function encodingOf(text: string, key: SecretFinder): string {
  const found = ENCODINGS.find(({ encoding, words, offsets }) =>
    [...text.matchAll(words)].some(([word]) =>
      offsets.some((offset) => key.isIn(Buffer.from(word.slice(offset), encoding).toString('latin1'))),
    ),
  )
  return found === undefined ? '' : ` as ${found.name}`
}

/** Keeps nothing, for a check that does not search for the key. */
export const noShownTexts: ShownTexts = {
  add() {},
  addHeaders() {},
  all: () => [],
  showsKey: () => undefined,
}
