import { quoteIfNeeded } from '../../domain/http/curl.ts'
import { completeAddress } from '../../domain/network/complete-address.ts'
import {
  checkFlag,
  receiverOptions,
  sharedOptions,
  type CheckOption,
  type CheckOptionValues,
} from '../../contract/checks/check-options.ts'
import { duration, wholeNumber, type FlagsOf } from '../read-arguments.ts'

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

/** Reads the options of a check from its flags. */
export function readCheckOptions<Table extends Readonly<Record<string, CheckOption>>>(
  table: Table,
  flags: CheckFlags,
): CheckOptionValues<Table> {
  return Object.fromEntries(
    setOptions(table, flags).map(([name, option, value]) => [
      name,
      readValue(checkFlag(name), option, value),
    ]),
  ) as CheckOptionValues<Table>
}

function readValue(flag: string, { kind, max }: CheckOption, value: unknown): unknown {
  if (kind === 'list') return namesIn([value].flat() as string[])
  if (kind === 'number') return wholeNumber(flag, String(value), 1, max)
  return kind === 'time' ? duration(flag, String(value)) : value
}

/** The options that were passed, with the values of their flags. */
export const setOptions = (table: Readonly<Record<string, CheckOption>>, flags: CheckFlags) =>
  Object.entries(table).flatMap(([name, option]) => {
    const value = (flags as Readonly<Record<string, unknown>>)[checkFlag(name)]
    const isSet = value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
    return isSet ? [[name, option, value] as const] : []
  })

/** Completes the addresses of the app, such as `localhost:3000/orders`. */
export function withAddresses(flags: CheckFlags): CheckFlags {
  const passed = setOptions({ ...sharedOptions, ...receiverOptions }, flags)
  const addresses = passed.flatMap(([name, { isAddress }, value]) =>
    isAddress ? [[checkFlag(name), completeAddress(String(value))] as const] : [],
  )
  return { ...flags, ...Object.fromEntries(addresses) }
}

/** The names in a flag that can be repeated, and can hold several with commas between them. */
const namesIn = (given: readonly string[]): string[] =>
  given.flatMap((text) => text.split(',')).map((name) => name.trim())
