const WORD = /[\p{L}\p{M}]{3,40}/gu

/** Texts whose words were added. Similar events have the same text. */
const MAX_REMEMBERED = 20_000

export interface WordList {
  readonly words: ReadonlySet<string>
  /** Adds the words of a folded text. */
  add(text: string): void
}

/** The words of texts, without numbers. Searches correct typing errors by them. */
export function createWordList(texts: Iterable<string> = []): WordList {
  const words = new Set<string>()
  const remembered = new Set<string>()

  function add(text: string): void {
    if (remembered.has(text)) return
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.add(text)
    for (const word of text.match(WORD) ?? []) words.add(word)
  }

  for (const text of texts) add(text)
  return { words, add }
}
