import { didYouMeanSentence } from '../server/domain/text/closest-match.ts'
import { addressOf, filterTerms, type Predicate } from './filter-terms.ts'

export interface Filter {
  readonly passes: Predicate
  /** Sentences about probable mistakes. */
  readonly problems: readonly string[]
}

/**
 * Parses the filter field: `kind:webhook status:>=400 -path:/payment` and free text. An event passes if every term
 * matches. A `-` negates a term.
 */
export function parseFilter(text: string): Filter {
  const terms = splitTerms(text)
  const predicates = terms.map(toPredicate)
  return {
    passes: (entry) => predicates.every((passes) => passes(entry)),
    problems: terms.flatMap(problemsOf),
  }
}

/** Splits at spaces, except between double quotes. */
const splitTerms = (text: string): string[] => text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []

function splitKey(text: string) {
  const [, key, value] = /^([a-z]+):(.+)$/i.exec(text) ?? []
  return key === undefined || value === undefined
    ? undefined
    : { key, value: unquote(value), term: filterTerms[key.toLowerCase()] }
}

const withoutMinus = (text: string): string =>
  text.length > 1 && text.startsWith('-') ? text.slice(1) : text

function toPredicate(text: string): Predicate {
  if (withoutMinus(text) !== text) {
    const passes = toPredicate(withoutMinus(text))
    return (entry) => !passes(entry)
  }
  const parts = splitKey(text)
  return parts?.term ? parts.term.toPredicate(parts.value) : contains(unquote(text))
}

function problemsOf(text: string): string[] {
  const parts = splitKey(withoutMinus(text))
  // A URL such as http://localhost has a colon, too. It is free text.
  if (!parts || text.includes('"') || parts.value.startsWith('/')) return []
  const { key, value, term } = parts
  if (!term) return [`There is no filter ${key}:.${didYouMeanSentence(key, Object.keys(filterTerms))}`]
  if (!term.isClosed || term.values.includes(value)) return []
  const hint = didYouMeanSentence(value, term.values) || ` The values are ${term.values.join(', ')}.`
  return [`There is no ${key}:${value}.${hint}`]
}

const unquote = (text: string): string => text.replaceAll('"', '').toLowerCase()

const contains =
  (wanted: string): Predicate =>
  ({ event, row }) =>
    [row.request, row.message, row.status, row.kind, addressOf(event), String(row.payId ?? '')].some((text) =>
      text.toLowerCase().includes(wanted),
    )
