import { didYouMeanSentence } from '../../server/domain/text/closest-match.ts'
import { foldText } from '../data/fold-text.ts'
import { loosen, toPhrase, toPhrases, type Phrase } from './words.ts'

export type Predicate<Item> = (item: Item) => boolean

export interface FilterTerm<Item> {
  readonly values: readonly string[]
  /** Whether these are all values. */
  readonly isClosed?: boolean
  readonly example: string
  /** What the example finds. */
  readonly meaning: string
  /** Whether a value may have a decimal comma. */
  readonly isAmount?: true
  /** Other names that people try. */
  readonly otherNames?: readonly string[]
  /** `value` is in lower case. */
  readonly toPredicate: (value: string) => Predicate<Item>
}

/** The terms of a filter by key, such as `kind` in `kind:webhook`. */
export type FilterTerms<Item> = Readonly<Record<string, FilterTerm<Item>>>

/** One way to understand a search. */
export interface Reading<Item> {
  readonly passes: Predicate<Item>
  /** The phrases that are marked in rows. */
  readonly phrases: readonly Phrase[]
  /** The search with its typing errors corrected. */
  readonly corrected?: string
}

export interface Filter<Item> {
  /** The search as typed, and then with numbers apart from their words. A list uses the first reading that finds something. */
  readonly readings: readonly [Reading<Item>, ...Reading<Item>[]]
  /** Sentences about probable mistakes. */
  readonly problems: readonly string[]
}

/** A part of a filter: `-kind:api,webhook`, or free text. */
export interface ParsedTerm {
  readonly text: string
  readonly isNegated: boolean
  /** In lower case. Not set for free text. */
  readonly key?: string
  /** The alternatives, in lower case. */
  readonly values: readonly string[]
}

/**
 * Ranks the place where an item contains a phrase. 0 is the name of the item, such as the note of a payment. `Infinity` if the item
 * does not contain the phrase.
 */
export type RankOf<Item> = (phrase: Phrase) => (item: Item) => number

/**
 * Parses a filter: `kind:webhook status:>=400 -path:/payment` and free text. An item matches if every term matches. A `-`
 * negates a term, and a comma between values means "or".
 */
export function parseTerms<Item>(text: string, terms: FilterTerms<Item>, rankOf: RankOf<Item>): Filter<Item> {
  const hasPhrase = (phrase: Phrase): Predicate<Item> => {
    const rank = rankOf(phrase)
    return (item) => rank(item) < Infinity
  }
  const hasApart = (phrase: Phrase): Predicate<Item> => {
    if (!phrase.apart) return hasPhrase(phrase)
    const [word, number] = [rankOf(phrase.apart[0]), rankOf(phrase.apart[1])]
    // `order 200` means the number of an order, and not an order with status 200.
    return (item) => {
      const place = number(item)
      return (
        place < Infinity && (place === 0 ? word(item) < Infinity : word(item) > 0 && word(item) < Infinity)
      )
    }
  }
  const parsed = splitTerms(text, terms)
  const predicates = parsed
    .filter((term) => !isSearchedWord(term))
    .map(({ key, values, isNegated }) => {
      const term = key === undefined ? undefined : terms[key]
      const alternatives = values.map((value) => term?.toPredicate(value) ?? hasPhrase(toPhrase(value)))
      return (item: Item) => alternatives.some((passes) => passes(item)) !== isNegated
    })
  const reading = (phrases: readonly Phrase[], tests: readonly Predicate<Item>[]): Reading<Item> => ({
    phrases,
    // Most terms are faster than a search of texts.
    passes: passesAll([...predicates, ...tests]),
  })
  const phrases = toPhrases(searchedWords(parsed))
  const looser = loosen(phrases)
  return {
    readings: [
      reading(phrases, phrases.map(hasPhrase)),
      ...(looser
        ? [reading(looser, looser.length === 1 ? looser.map(hasPhrase) : phrases.map(hasApart))]
        : []),
    ],
    problems: parsed.flatMap((term) => problemsOf(term.text, terms)),
  }
}

/** A loop, because `every` would create a function for each of many items. */
const passesAll =
  <Item>(tests: readonly Predicate<Item>[]): Predicate<Item> =>
  (item) => {
    for (const passes of tests) if (!passes(item)) return false
    return true
  }

const isSearchedWord = ({ key, isNegated }: ParsedTerm): boolean => key === undefined && !isNegated

/** The free text of a filter. */
export const searchedWords = (parsed: readonly ParsedTerm[]): readonly string[] =>
  parsed.filter(isSearchedWord).flatMap(({ values }) => values)

/** Splits a filter at spaces, except between double quotes. */
export const splitTerms = (text: string, terms: FilterTerms<never>): ParsedTerm[] =>
  (text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).flatMap((part) => {
    const [, typedKey = ''] = /^-?([a-z]+):$/i.exec(part) ?? []
    // The value is not typed yet.
    if (Object.hasOwn(terms, typedKey.toLowerCase())) return []
    const isNegated = /^-[^-]/.test(part)
    const positive = isNegated ? part.slice(1) : part
    const parts = splitKey(positive)
    const key = parts?.key.toLowerCase()
    if (parts && key !== undefined && Object.hasOwn(terms, key)) {
      const { isAmount = false } = terms[key]!
      return {
        text: part,
        isNegated,
        key,
        values: splitValues(isAmount ? foldText(parts.value) : parts.value),
      }
    }
    return { text: part, isNegated, values: [unquote(positive)] }
  })

function splitKey(text: string) {
  const [, key, value] = /^([a-z]+):(.+)$/i.exec(text) ?? []
  return key === undefined || value === undefined ? undefined : { key, value }
}

/** Splits at commas, except between double quotes. */
const splitValues = (value: string): string[] => (value.match(/(?:"[^"]*"?|[^,"])+/g) ?? [value]).map(unquote)

function problemsOf(text: string, terms: FilterTerms<never>): string[] {
  const parts = splitKey(text.replace(/^-(?=.)/, ''))
  // A URL such as http://localhost also has a colon, but is free text.
  if (!parts || text.includes('"') || parts.value.startsWith('/')) return []
  const { key, value } = parts
  const term = Object.hasOwn(terms, key.toLowerCase()) ? terms[key.toLowerCase()] : undefined
  if (!term) {
    const hint = suggestKey(key, terms)
    // A host with a port, such as localhost:3000, is also free text.
    if (hint === '' && /^\d/.test(value)) return []
    return [`There is no filter ${key}:.${hint || ` The filters are ${Object.keys(terms).join(', ')}.`}`]
  }
  if (!term.isClosed) return []
  return splitValues(value)
    .filter((one) => !term.values.includes(one))
    .map((one) => {
      const hint = didYouMeanSentence(one, term.values) || ` The values are ${term.values.join(', ')}.`
      return `There is no ${key}:${one}.${hint}`
    })
}

/** The term that has this as one of its other names. */
export const findByOtherName = (name: string, terms: FilterTerms<never>): string | undefined =>
  Object.keys(terms).find((key) => terms[key]!.otherNames?.includes(name.toLowerCase()))

function suggestKey(name: string, terms: FilterTerms<never>): string {
  const same = findByOtherName(name, terms)
  return same === undefined ? didYouMeanSentence(name, Object.keys(terms)) : ` Did you mean ${same}?`
}

/** Removes the quotes around a text. Other quotes, as in `5" nails`, stay. */
const unquote = (text: string): string => (text.replace(/^"([^"]*)"?$/, '$1') || text).toLowerCase()
