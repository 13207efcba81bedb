import { computed } from '@preact/signals'
import { findClosestMatch } from '../../server/domain/text/closest-match.ts'
import { findByOtherName, splitTerms, type ParsedTerm } from './filter.ts'
import { parseFilter } from './filter-terms.ts'
import { eventTerms } from './filter-terms.ts'
import { log } from '../data/session.ts'
import { ownRowTest } from './create-view.ts'
import { filterContext, query, timeRange, unfoldedChecks } from './view.ts'

/** A search with results, which is proposed if the current search has none. */
export interface Repair {
  readonly query: string
  readonly meaning: string
  /** The number of results. Unknown until the server has answered. */
  readonly count?: number
  /** Whether the proposed search also leaves the time range. */
  readonly isForAllTime: boolean
}

const MAX_REPAIRS = 5

/** Words that people type for a term of the filter. */
const synonyms: Readonly<Record<string, string>> = {
  failed: 'is:failed',
  failure: 'is:failed',
  error: 'is:failed',
  errors: 'is:failed',
  refused: 'is:failed',
  retry: 'is:retried',
  retried: 'is:retried',
  held: 'is:held',
  replayed: 'is:replay',
  webhooks: 'kind:webhook',
  calls: 'kind:api',
  findings: 'kind:diagnostic',
  diagnostics: 'kind:diagnostic',
}

/** Searches with results that are similar to the current search, with the number of their results. */
export const repairs = computed((): readonly Repair[] => {
  const terms = eventTerms(filterContext.value)
  const parsed = splitTerms(query.value, terms)
  const { entries } = log.journal.value

  const candidates: (readonly [query: string, meaning: string])[] = []
  const add = (text: string, meaning: string) => {
    if (text !== '' && text !== query.value && !candidates.some(([known]) => known === text))
      candidates.push([text, meaning])
  }
  const known = parsed.map(({ text }) => {
    const lower = text.toLowerCase()
    if (Object.hasOwn(synonyms, lower)) return synonyms[lower]!
    const [key = '', value] = lower.split(/:(.*)/s)
    if (value === undefined || key === '') return text
    const name = Object.hasOwn(terms, key)
      ? key
      : (findByOtherName(key, terms) ?? findClosestMatch(key, Object.keys(terms)))
    if (name === undefined) return text
    const { values = [], isClosed = false } = terms[name] ?? {}
    return `${name}:${isClosed && !values.includes(value) ? (findClosestMatch(value, values) ?? value) : value}`
  })
  add(known.join(' '), 'as a filter')
  if (parsed.length > 1) {
    for (const left of known.keys()) {
      add(known.filter((_, index) => index !== left).join(' '), `without ${parsed[left]!.text}`)
    }
  }

  const { from = '', to = '~' } = timeRange.value ?? {}
  const count = (text: string, isForAllTime: boolean): number => {
    const { readings } = parseFilter(text, filterContext.value)
    const { passes } = readings.at(-1)!
    const hasOwnRow = ownRowTest(text, unfoldedChecks.value)
    return entries.filter(
      (entry) =>
        hasOwnRow(entry) &&
        (isForAllTime || (entry.event.at >= from && entry.event.at <= to)) &&
        passes(entry),
    ).length
  }
  const isLimited = timeRange.value !== undefined
  const inBodies = searchInBodies(parsed)
  const found = [
    ...(isLimited ? [{ query: query.value, meaning: 'at any time', isForAllTime: true }] : []),
    ...candidates.map(([text, meaning]) => ({ query: text, meaning, isForAllTime: false })),
  ]
    .map((repair) => ({ ...repair, count: count(repair.query, repair.isForAllTime) }))
    .filter((repair) => repair.count > 0)
    .slice(0, MAX_REPAIRS - (inBodies ? 1 : 0))
  return inBodies ? [...found, inBodies] : found
})

/** The same search, with its words as a search in the bodies. */
function searchInBodies(parsed: readonly ParsedTerm[]): Repair | undefined {
  const words = parsed.filter(({ key, isNegated }) => key === undefined && !isNegated)
  if (words.length === 0) return undefined
  const others = parsed.filter((term) => !words.includes(term)).map(({ text }) => text)
  const text = words.map((word) => word.text.replaceAll('"', '')).join(' ')
  const term = /^[^\s,]+$/.test(text) ? `body:${text}` : `body:"${text}"`
  return {
    query: [...others, term].join(' '),
    meaning: 'in the bodies of requests and responses',
    isForAllTime: false,
  }
}
