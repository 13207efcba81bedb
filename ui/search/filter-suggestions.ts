import type { FilterTerms } from './filter.ts'

export interface Suggestion {
  /** The whole filter with the suggestion inserted. */
  readonly text: string
  /** The suggestion alone. */
  readonly term: string
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

  if (value === undefined) {
    return Object.entries(terms)
      .filter(([name]) => name.startsWith(key.toLowerCase()))
      .map(([name, { meaning }]) => suggestion(`${name}:`, meaning, false))
  }
  const values = terms[key.toLowerCase()]?.values ?? []
  return values
    .filter((known) => known.startsWith(value.toLowerCase()) && known !== value)
    .slice(0, MAX_SUGGESTIONS)
    .map((known) => suggestion(`${key}:${known}`, '', true))
}
