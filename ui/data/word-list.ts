/** Without letters that can follow others in the middle of a word, because searches find any part of such a word. */
const WORD = /(?:(?![\u0080-\u00bf\u0e00-\u{10ffff}])[\p{L}\p{M}]){3,40}/gu

/** Whether a folded text is one word, and not longer than those of a list. */
export const isListable = (text: string): boolean => text.match(WORD)?.[0] === text

interface WordList {
  readonly words: ReadonlySet<string>
  /** Adds the words of a folded text. */
  add(text: string): void
}

/**
 * The words of texts, without numbers. Searches use them to correct typing errors. A search for a word of four letters or more
 * finds nothing in these texts if no word of the list begins with it.
 */
export function createWordList(): WordList {
  const words = new Set<string>()
  /** Each text is added only once, because similar events have the same text. */
  const added = new Set<string>()
  return {
    words,
    add(text) {
      if (added.has(text)) return
      if (added.size > 20_000) added.clear()
      added.add(text)
      for (const word of text.match(WORD) ?? []) words.add(word)
    },
  }
}
