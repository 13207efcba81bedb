import {
  parseTerms,
  searchedWords,
  splitTerms,
  type Filter,
  type FilterTerms,
  type RankOf,
  type Reading,
} from './filter.ts'
import { foldText } from '../data/fold-text.ts'
import { createWordList, isListable } from '../data/word-list.ts'
import type { Steps } from './slices.ts'
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

/** The items of a list that a search finds. */
export interface Matches<Item> {
  readonly query: string
  /** In the sequence of the list. */
  readonly found: readonly Item[]
  readonly bestFirst: readonly Item[]
  /** How the search was understood. */
  readonly reading: Reading<Item>
}

/** Searches a list, whose items have the texts that `rankOf` looks in. */
export function* searchItems<Item>(
  query: string,
  items: readonly Item[],
  terms: FilterTerms<Item>,
  rankOf: RankOf<Item>,
  textsOf: (item: Item) => readonly string[],
): Steps<Matches<Item>> {
  const { readings } = parseTerms(query, terms, rankOf)
  let matches = yield* findFirst(items, readings)
  if (!matches) {
    const { words, add } = createWordList()
    for (const item of items) {
      textsOf(item).forEach(add)
      yield
    }
    const corrected = correctQuery(query, terms, () => words)
    if (corrected !== undefined) {
      matches = yield* findFirst(items, correctedReadings(parseTerms(corrected, terms, rankOf), corrected))
    }
  }
  const { found, reading } = matches ?? { found: [], reading: readings[0] }
  const bestFirst = yield* sortByRank(found, reading.phrases, rankOf, textsOf)
  return { query, found, bestFirst, reading }
}

/** The items that the first possible reading finds. */
function* findFirst<Item>(items: readonly Item[], readings: readonly Reading<Item>[]) {
  for (const reading of readings) {
    const found: Item[] = []
    for (const item of items) {
      if (reading.passes(item)) found.push(item)
      yield
    }
    if (found.length > 0) return { found, reading }
  }
  return undefined
}

/**
 * Sorts the best matches first: items whose first text has a line that is exactly the search. Items of equal rank keep their
 * sequence.
 */
function* sortByRank<Item>(
  items: readonly Item[],
  phrases: readonly Phrase[],
  rankOf: RankOf<Item>,
  textsOf: (item: Item) => readonly string[],
): Steps<readonly Item[]> {
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
  const ranked: { readonly item: Item; readonly rank: number }[] = []
  for (const item of items) {
    ranked.push({ item, rank: rank(item) })
    yield
  }
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ item }) => item)
}
