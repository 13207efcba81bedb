import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import { orList } from '../domain/text/word-lists.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { visibleValue } from '../domain/text/visible.ts'

/** The name of an argument in messages. An operand such as `<on>` has no dashes. */
const argumentName = (name: string): string => (name.startsWith('<') ? name : `--${name}`)

/** Reads a flag, or an operand such as `<on>`, whose value must be one of several words. */
export function oneOf<Word extends string>(
  flag: string,
  value: string | undefined,
  words: readonly Word[],
): Word | undefined {
  const word = words.find((candidate) => candidate === value)
  if (value === undefined || word !== undefined) return word
  throw new UsageError(
    `${argumentName(flag)} is ${visibleValue(value)}.${didYouMeanSentence(value, words)} It must be ${orList(words)}.`,
  )
}

/** Reads a flag, or an operand such as `<id>`, whose value must be a whole number from `least` to `most`. */
export function readWholeNumber(
  flag: string,
  value: string | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= least && number <= most) return number
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  throw new UsageError(`${argumentName(flag)} is ${visibleValue(value)}. It must be a whole number ${range}.`)
}

/** Reads the flag `limit` of a list. */
export const readLimit = (value: string | undefined): number | undefined =>
  readWholeNumber('limit', value, 1, MAX_LIMIT)

const MAX_LIMIT = 1_000

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/** Reads the value of a flag as a duration, in milliseconds. */
export function duration(flag: string, value: string, longest = '60s'): number {
  const ms = millisecondsOf(value)
  if (ms !== undefined && ms <= millisecondsOf(longest)!) return ms
  throw new UsageError(
    `--${flag} is ${visibleValue(value)}. It must be a time up to ${longest}, like 500ms, 5s or 1m.`,
  )
}

function millisecondsOf(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  return amount === undefined ? undefined : Math.round(Number(amount) * UNITS[unit!]!)
}
