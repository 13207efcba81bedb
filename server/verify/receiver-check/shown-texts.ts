import type { SecretFinder } from '../../domain/secrets/secret-finder.ts'

/** The texts that an app has shown, which are searched for its API key at the end of a check. */
export interface ShownTexts {
  /** Keeps a text, and the address or the name of its page. */
  add(where: string, text: string): void
  /** Keeps header fields, one per line. */
  addHeaders(where: string, lines: string): void
  /** Each text once. */
  all(): readonly string[]
  /** Where the app has shown the key first. `undefined` if it has not shown it. */
  whereIsKey(key: SecretFinder): string | undefined
}

/** Keeps each text once, because most responses of an app are the same. */
export function createShownTexts(): ShownTexts {
  const places = new Map<string, string>()
  const add = (where: string, text: string): void => {
    if (!places.has(text)) places.set(text, where)
  }
  return {
    add,
    // Without the date, which would make the header of each response a new text.
    addHeaders: (where, lines) => add(where, lines.replaceAll(/^date:.*\n?/gim, '')),
    all: () => [...places.keys()],
    whereIsKey: (key) => [...places].find(([text]) => key.isIn(text))?.[1],
  }
}

/** Keeps nothing, for a check that does not search for the key. */
export const noShownTexts: ShownTexts = {
  add() {},
  addHeaders() {},
  all: () => [],
  whereIsKey: () => undefined,
}
