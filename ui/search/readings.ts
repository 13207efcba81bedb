import {
  searchedWords,
  splitTerms,
  type Filter,
  type FilterTerms,
  type RankOf,
  type Reading,
} from './filter.ts'
import { foldText } from '../data/fold-text.ts'
import { createWordList, isListable } from '../data/word-list.ts'
import { correctWord, type Phrase } from './words.ts'

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

/**
 * Sorts the best matches first: items whose first text has a line that is exactly the search. Items of equal rank keep their
 * sequence.
 */
export function sortByRank<Item>(
  items: readonly Item[],
  phrases: readonly Phrase[],
  rankOf: RankOf<Item>,
  textsOf: (item: Item) => readonly string[],
): readonly Item[] {
  if (phrases.length === 0) return items
  const rankers = phrases.map(rankOf)
  const wholeLine = `\n${phrases.map(({ typed }) => typed).join(' ')}\n`
  const rank = (item: Item): number => {
    const lines = `\n${textsOf(item)[0]}\n`
    const at = lines.indexOf(wholeLine)
    return at === -1
      ? Math.max(...rankers.map((rankOfPhrase) => rankOfPhrase(item)))
      : lines.slice(0, at).split('\n').length - 3
  }
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}
