import { filterTerms } from './filter.ts'

export interface Suggestion {
  /** The whole filter, with this suggestion in it. */
  readonly text: string
  /** What is put in. */
  readonly term: string
  readonly meaning: string
}

const MOST = 10

/** Ways to go on with the last word of a filter: a key first, then its values. */
export function suggest(filter: string): Suggestion[] {
  const [, before = '', minus = '', word = ''] = /^(.*?)(-?)(\S*)$/s.exec(filter) ?? []
  const [key = '', value] = word.split(/:(.*)/s)
  const put = (term: string, meaning: string, isDone: boolean): Suggestion => ({
    text: `${before}${minus}${term}${isDone ? ' ' : ''}`,
    term,
    meaning,
  })

  if (value === undefined) {
    return Object.entries(filterTerms)
      .filter(([name]) => name.startsWith(key.toLowerCase()))
      .map(([name, { meaning }]) => put(`${name}:`, meaning, false))
  }
  const values = filterTerms[key.toLowerCase()]?.values ?? []
  return values
    .filter((known) => known.startsWith(value.toLowerCase()) && known !== value)
    .slice(0, MOST)
    .map((known) => put(`${key}:${known}`, '', true))
}
