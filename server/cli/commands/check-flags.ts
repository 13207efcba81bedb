import { quoteIfNeeded } from '../../domain/http/curl.ts'
import type { FlagsOf } from '../read-arguments.ts'

export type CheckFlags = FlagsOf<'check'>

/** Flags that a repeated command leaves out. */
const NOT_REPEATED = new Set([
  'only',
  'skip',
  'list',
  'json',
  'details',
  'tests',
  'junit',
  'markdown',
  'admin-token',
  'interleave',
  'histories',
  'seed',
])

/** The command that repeats one case. `select` returns the flag that selects it. */
export function repeatCommand(
  receiver: string | undefined,
  flags: CheckFlags,
  select: (name: string) => string = (name) => `--only ${name}`,
): (name: string) => string {
  const given = Object.entries(flags).flatMap(([flag, value]) => {
    if (NOT_REPEATED.has(flag) || value === undefined || value === false) return []
    if (value === true) return [`--${flag}`]
    // A value that begins with a dash would be read as a flag.
    return [value].flat().map((one) => `--${flag}${one.startsWith('-') ? '=' : ' '}${quoteIfNeeded(one)}`)
  })
  const operands = receiver === undefined ? [] : [quoteIfNeeded(receiver)]
  return (name) => ['npx paylink-sandbox check', ...operands, ...given, select(name), '--details'].join(' ')
}

/** The names in a flag that can be repeated, and can hold several with commas between them. */
export const namesIn = (given: readonly string[]): string[] =>
  given.flatMap((text) => text.split(',')).map((name) => name.trim())

/** The names after `--only`, or `undefined` for all cases. */
export const onlyNames = ({ only }: CheckFlags): readonly string[] | undefined =>
  only.length === 0 ? undefined : namesIn(only)
