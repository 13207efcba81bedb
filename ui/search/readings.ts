import { searchedWords, splitTerms, type Filter, type FilterTerms, type Reading } from './filter.ts'
import { foldText } from '../data/fold-text.ts'
import { createWordList, isListable } from '../data/word-list.ts'
import { correctWord } from './words.ts'

/** The readings of a search that was corrected. */
export const correctedReadings = <Item>(
  { readings }: Filter<Item>,
  corrected: string,
): readonly Reading<Item>[] => readings.map((reading) => ({ ...reading, corrected }))

/** A search with each unknown word replaced by a known word that differs in one letter. `undefined` if nothing changes. */
export function correctQuery(
  query: string,
  terms: FilterTerms<never>,
  knownWords: () => Iterable<string>,
): string | undefined {
  const parsed = splitTerms(query, terms)
  const typed = searchedWords(parsed).map(foldText).filter(isListable)
  if (typed.length === 0) return undefined
  const words = knownWords()
  const corrections = new Map(typed.map((word) => [word, correctWord(word, words) ?? word]))
  const correctedText = parsed.map(({ text }) => corrections.get(foldText(text)) ?? text).join(' ')
  return [...corrections].every(([word, correction]) => word === correction) ? undefined : correctedText
}

export function wordsIn(texts: readonly string[]): ReadonlySet<string> {
  const { words, add } = createWordList()
  texts.forEach(add)
  return words
}

/** The words of lists. A list that changes is a new list. */
const wordsOfLists = new WeakMap<object, ReadonlySet<string>>()

/** The items of a short list that a search finds, and how the search was understood. */
export function findItems<Item>(
  query: string,
  items: readonly Item[],
  parse: (query: string) => Filter<Item>,
  terms: FilterTerms<never>,
  textsOf: (item: Item) => readonly string[],
): { readonly found: readonly Item[]; readonly reading: Reading<Item> } {
  const { readings } = parse(query)
  const knownWords = (): ReadonlySet<string> => {
    const words = wordsOfLists.get(items) ?? wordsIn(items.flatMap(textsOf))
    wordsOfLists.set(items, words)
    return words
  }
  const corrected = (): readonly Reading<Item>[] => {
    const text = correctQuery(query, terms, knownWords)
    return text === undefined ? [] : correctedReadings(parse(text), text)
  }
  for (const candidates of [() => readings, corrected]) {
    for (const reading of candidates()) {
      const matches = items.filter(reading.passes)
      if (matches.length > 0) return { found: matches, reading }
    }
  }
  return { found: [], reading: readings[0] }
}
