import { didYouMeanSentence } from '../../server/domain/text/closest-match.ts'

export type Predicate<Item> = (item: Item) => boolean

export interface FilterTerm<Item> {
  /** Suggested values. */
  readonly values: readonly string[]
  /** Whether there are no other values. */
  readonly isClosed?: boolean
  readonly example: string
  readonly meaning: string
  /** The value is in lower case. */
  readonly toPredicate: (value: string) => Predicate<Item>
}

/** The terms of a filter by key, such as `kind` in `kind:webhook`. */
export type FilterTerms<Item> = Readonly<Record<string, FilterTerm<Item>>>

export interface Filter<Item> {
  readonly passes: Predicate<Item>
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
 * Parses a filter: `kind:webhook status:>=400 -path:/payment` and free text. An item passes if every term matches.
 * A `-` negates a term, a comma between values means "or".
 */
export function parseTerms<Item>(
  text: string,
  terms: FilterTerms<Item>,
  textsOfItem: (item: Item) => readonly string[],
): Filter<Item> {
  const parsed = splitTerms(text, terms)
  const predicates = parsed.map(({ key, values, isNegated }): Predicate<Item> => {
    const term = key === undefined ? undefined : terms[key]
    const alternatives = values.map((value) => term?.toPredicate(value) ?? contains(value, textsOfItem))
    return (item) => alternatives.some((passes) => passes(item)) !== isNegated
  })
  return {
    passes: (item) => predicates.every((passes) => passes(item)),
    problems: parsed.flatMap((term) => problemsOf(term.text, terms)),
  }
}

/** Splits a filter at spaces, except between double quotes. */
export const splitTerms = (text: string, terms: FilterTerms<never>): ParsedTerm[] =>
  (text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).flatMap((part) => {
    const [, typedKey = ''] = /^-?([a-z]+):$/i.exec(part) ?? []
    // The value is not typed yet.
    if (Object.hasOwn(terms, typedKey.toLowerCase())) return []
    const isNegated = part.length > 1 && part.startsWith('-')
    const positive = isNegated ? part.slice(1) : part
    const parts = splitKey(positive)
    const key = parts?.key.toLowerCase()
    if (parts && key !== undefined && Object.hasOwn(terms, key)) {
      return { text: part, isNegated, key, values: splitValues(parts.value) }
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
  // A URL such as http://localhost has a colon, too. It is free text.
  if (!parts || text.includes('"') || parts.value.startsWith('/')) return []
  const { key, value } = parts
  const term = terms[key.toLowerCase()]
  if (!term) return [`There is no filter ${key}:.${suggest(key, Object.keys(terms))}`]
  if (!term.isClosed) return []
  return splitValues(value)
    .filter((one) => !term.values.includes(one))
    .map((one) => {
      const hint = suggest(one, term.values) || ` The values are ${term.values.join(', ')}.`
      return `There is no ${key}:${one}.${hint}`
    })
}

/** A report is too small for the library that finds close names. */
const suggest = (name: string, names: readonly string[]): string =>
  CAN_ACT ? didYouMeanSentence(name, names) : ''

const unquote = (text: string): string => text.replaceAll('"', '').toLowerCase()

const contains =
  <Item>(wanted: string, textsOfItem: (item: Item) => readonly string[]): Predicate<Item> =>
  (item) =>
    textsOfItem(item).some((text) => text.toLowerCase().includes(wanted))
