const WORD = /[\p{L}\p{M}]{3,40}/gu

interface WordList {
  readonly words: ReadonlySet<string>
  /** Adds the words of a folded text. */
  add(text: string): void
}

/** The words of texts, without numbers. Searches use them to correct typing errors. */
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
