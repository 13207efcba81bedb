import { computed, signal } from '@preact/signals'
import { findClosestMatch } from '../../server/domain/text/closest-match.ts'
import { findByOtherName, splitTerms, type ParsedTerm } from './filter.ts'
import { eventTerms } from './filter-terms.ts'
import { log } from '../data/session.ts'
import { createView } from './create-view.ts'
import { SLICE_MS } from './slices.ts'
import { filterContext, pausedAt, query, timeRange, unfoldedChecks } from './view.ts'

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

/** The views that count the results of the proposed searches, for the current search. */
const counts = new Map<string, ReturnType<typeof createView>>()
let countedFor: string | undefined

/** The number of results of a search. `undefined` until all events are tested. */
function countResults(text: string, isForAllTime: boolean): number | undefined {
  const key = `${isForAllTime} ${text}`
  const view =
    counts.get(key) ??
    createView(log, signal(text), pausedAt, {
      range: isForAllTime ? signal(undefined) : timeRange,
      context: filterContext,
      unfolded: unfoldedChecks,
      sliceMs: SLICE_MS,
    })
  counts.set(key, view)
  const { query: searched, rows } = view.value
  return searched === text ? rows.length : undefined
}

/**
 * Searches with results that are similar to the current search, with the number of their results. They are counted one after
 * another. `undefined` until all are counted.
 */
export const repairs = computed((): readonly Repair[] | undefined => {
  const terms = eventTerms(filterContext.value)
  const parsed = splitTerms(query.value, terms)

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

  if (countedFor !== query.value) counts.clear()
  countedFor = query.value
  const inBodies = searchInBodies(parsed)
  const proposed = [
    ...(timeRange.value ? [{ query: query.value, meaning: 'at any time', isForAllTime: true }] : []),
    ...candidates.map(([text, meaning]) => ({ query: text, meaning, isForAllTime: false })),
  ]
  const found: Repair[] = []
  for (const repair of proposed) {
    const count = countResults(repair.query, repair.isForAllTime)
    // Fewer proposals now would move those that follow.
    if (count === undefined) return undefined
    if (count > 0) found.push({ ...repair, count })
  }
  return inBodies ? [...found.slice(0, MAX_REPAIRS - 1), inBodies] : found.slice(0, MAX_REPAIRS)
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
