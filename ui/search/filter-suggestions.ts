import { findByOtherName, type FilterTerms } from './filter.ts'

export interface Suggestion {
  /** The whole filter, with the suggestion in it. */
  readonly text: string
  /** The suggestion alone. */
  readonly term: string
  /** The suggestion with a value. `meaning` describes its result. */
  readonly example?: string
  readonly meaning: string
}

const MAX_SUGGESTIONS = 10

/** Suggests completions for the last word of a filter: keys, then the values of a key. */
export function suggestTerms(filter: string, terms: FilterTerms<never>): Suggestion[] {
  const [, before = '', minus = '', word = ''] = /^(.*?)(-?)(\S*)$/s.exec(filter) ?? []
  const [key = '', value] = word.split(/:(.*)/s)
  const suggestion = (term: string, meaning: string, isComplete: boolean): Suggestion => ({
    text: `${before}${minus}${term}${isComplete ? ' ' : ''}`,
    term,
    meaning,
  })

  const same = findByOtherName(key, terms)
  if (value === undefined) {
    return Object.entries(terms)
      .filter(([name]) => name.startsWith(key.toLowerCase()) || name === same)
      .map(([name, { meaning, example }]) => ({ ...suggestion(`${name}:`, meaning, false), example }))
  }
  if (same !== undefined) return [suggestion(`${same}:${value}`, terms[same]!.meaning, value !== '')]
  const values = Object.hasOwn(terms, key.toLowerCase()) ? terms[key.toLowerCase()]!.values : []
  return values
    .filter((known) => known.startsWith(value.toLowerCase()) && known !== value)
    .slice(0, MAX_SUGGESTIONS)
    .map((known) => suggestion(`${key}:${known}`, '', true))
}
