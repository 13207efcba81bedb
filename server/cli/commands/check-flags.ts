import { quoteIfNeeded } from '../../domain/http/curl.ts'
import { completeAddress } from '../../domain/network/complete-address.ts'
import {
  callerOptions,
  checkFlag,
  describeCheckOption,
  localReceiverOptions,
  receiverOptions,
  sharedOptions,
  type CheckOption,
  type CheckOptionValues,
} from '../../contract/checks/check-options.ts'
import { flagsUnderHeading, type Flag } from '../../runtime/config/flags.ts'
import type { FlagsOf } from '../command.ts'
import { duration, readWholeNumber } from '../read-values.ts'
import { verdictFlags } from '../reports/verdict-flags.ts'
import { connectionFlags, sandboxFlag } from '../shared-flags.ts'

/** The flags for a table of check options. */
const flagsOf = (table: Readonly<Record<string, CheckOption>>): Readonly<Record<string, Flag>> =>
  Object.fromEntries(
    Object.entries(table).map(([name, option]) => {
      const { kind, value, isVerbatim, bare } = option
      const text = describeCheckOption(option, checkWords)
      const flag = { value, isVerbatim, bare }
      // A flag that can be passed without a value is read as one text. All other lists can be repeated.
      if (kind === 'switch') return [checkFlag(name), { kind, text }]
      if (kind === 'list' && bare === undefined)
        return [checkFlag(name), { ...flag, kind, text: `${text}; repeatable` }]
      const times = kind === 'time' ? ', like 500ms, 5s or 1m' : ''
      return [checkFlag(name), { ...flag, kind: 'text', text: text + times }]
    }),
  )

const checkWords = {
  name: (option: string) => `--${checkFlag(option)}`,
  time: (ms: number) => `${ms / 1000}s`,
}

const { only, skip, timeoutMs, orderBody, orderMethod, formUrl, ...stateOptions } = sharedOptions
const { orderUrl, quick, ...onlyReceiverOptions } = { ...receiverOptions, ...localReceiverOptions }

export const checkFlags = {
  caller: {
    kind: 'switch',
    text: 'test the code that creates payment links: place orders while calls to the API fail; requires --order-url',
  },
  ...flagsOf({ only, skip }),
  list: { kind: 'switch', text: 'list the cases instead of running them' },
  ...flagsOf({ timeoutMs }),
  ...flagsUnderHeading('How your app accepts orders', flagsOf({ orderUrl, orderBody, orderMethod, formUrl })),
  ...flagsUnderHeading('How your app shows the state of an order', {
    ...flagsOf(stateOptions),
    'order-state-module': {
      kind: 'text',
      value: '<file>',
      text: 'instead of --state-url, a module that returns the state: export default (order) => ({ paid, times })',
    },
  }),
  ...flagsUnderHeading('Not with --caller', flagsOf({ quick, ...onlyReceiverOptions })),
  ...flagsUnderHeading('Only with --caller', flagsOf(callerOptions)),
  ...connectionFlags,
  sandbox: {
    ...sandboxFlag,
    text: 'the sandbox that your app uses (PAYLINK_URL, or else the sandbox on this machine if your app creates the orders, or else a new sandbox in memory)',
  },
  ...flagsUnderHeading('Output', {
    details: {
      kind: 'switch',
      text: 'print each case as it ends; for each failure, what was sent, expected and seen, why it matters, and how to repeat it',
    },
    tests: {
      kind: 'text',
      value: '<folder>',
      text: 'write each failure as a test for Vitest and as a shell script',
    },
    ...verdictFlags,
  }),
} as const

export type CheckFlags = FlagsOf<typeof checkFlags>

/** Flags that are left out of the command that repeats a case. */
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

/** The command that repeats one case. `select` returns the flag for the case. */
export function repeatCommand(
  receiver: string | undefined,
  flags: CheckFlags,
  select: (name: string) => string = (name) => `--only ${name}`,
): (name: string) => string {
  const passed = Object.entries(flags).flatMap(([flag, value]) => {
    if (NOT_REPEATED.has(flag) || value === undefined || value === false) return []
    if (value === true) return [`--${flag}`]
    // Flag and value are joined by `=`, because a separate value that starts with a dash would be read as a flag.
    return [value].flat().map((one) => `--${flag}${one.startsWith('-') ? '=' : ' '}${quoteIfNeeded(one)}`)
  })
  const operands = receiver === undefined ? [] : [quoteIfNeeded(receiver)]
  return (name) => ['npx paylink-sandbox check', ...operands, ...passed, select(name), '--details'].join(' ')
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
  if (kind === 'number') return readWholeNumber(flag, String(value), 1, max)
  return kind === 'time' ? duration(flag, String(value)) : value
}

/** The options that were passed, and the values of their flags. */
export const setOptions = (table: Readonly<Record<string, CheckOption>>, flags: CheckFlags) =>
  Object.entries(table).flatMap(([name, option]) => {
    const value = (flags as Readonly<Record<string, unknown>>)[checkFlag(name)]
    const isSet = value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
    return isSet ? [[name, option, value] as const] : []
  })

/** Completes addresses in the app, such as `localhost:3000/orders`. */
export function withAddresses(flags: CheckFlags): CheckFlags {
  const passed = setOptions({ ...sharedOptions, ...receiverOptions }, flags)
  const addresses = passed.flatMap(([name, { isAddress }, value]) =>
    isAddress ? [[checkFlag(name), completeAddress(String(value))] as const] : [],
  )
  return { ...flags, ...Object.fromEntries(addresses) }
}

/** The names in a repeatable flag. Each value may contain several names, separated by commas. */
const namesIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',')).map((name) => name.trim())
