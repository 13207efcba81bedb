import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import { readArgs, type Flag, type FlagValues } from '../runtime/config/flags.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { shown } from '../domain/text/visible.ts'
import { commands, usageOf, type Command, type CommandName } from './command-table.ts'

type Values<Flags extends Readonly<Record<string, Flag>>> = {
  readonly [Name in keyof Flags]: Flags[Name]['kind'] extends 'switch'
    ? boolean
    : Flags[Name]['kind'] extends 'list'
      ? readonly string[]
      : string | undefined
}

/** The flags of one command, by name. */
export type FlagsOf<Name extends CommandName> = Values<(typeof commands)[Name]['flags']>

interface Arguments<Name extends CommandName> {
  readonly flags: FlagsOf<Name>
  /** Only the flags that were passed. */
  readonly values: FlagValues
  /** All operands that the command requires are among them. */
  readonly operands: readonly string[]
}

/** Reads the arguments of a command by the table of commands. */
export function readArguments<Name extends CommandName>(
  name: Name,
  args: readonly string[],
): Arguments<Name> {
  const { flags: table, operands }: Command = commands[name]
  const { values, positionals } = readArgs(table, args, true)
  const empty = Object.keys(values).find((flag) => values[flag] === '' && flag !== 'body' && flag !== 'note')
  if (empty !== undefined) throw new UsageError(`--${empty} is empty. Give it a value, or leave it out.`)
  checkOperands(name, usageOf(name), operands, positionals)

  const flags = Object.fromEntries(
    Object.entries(table).map(([flag, { kind }]) => [flag, values[flag] ?? UNSET_VALUES[kind]]),
  )
  return { flags: flags as FlagsOf<Name>, values, operands: positionals }
}

const UNSET_VALUES = { text: undefined, list: [], switch: false } as const satisfies Record<
  Flag['kind'],
  unknown
>

/** Throws a `UsageError` if an operand of `command` is missing or superfluous. `usage` shows the correct form. */
export function checkOperands(
  command: string,
  usage: string,
  wanted: readonly string[],
  given: readonly string[],
): void {
  // In a script, an unset variable passes an empty operand.
  const missing = wanted.find((operand, index) => operand.startsWith('<') && !given[index])
  if (missing !== undefined) throw new UsageError(`${command} requires ${missing}. Write ${usage}.`)
  const superfluous = wanted.at(-1)?.endsWith('…') ? undefined : given[wanted.length]
  if (superfluous !== undefined) {
    throw new UsageError(`${command} does not take ${superfluous}. Write ${usage}.`)
  }
}

/** The name of an argument in messages: an operand such as `<on>` has no dashes. */
const argumentName = (name: string): string => (name.startsWith('<') ? name : `--${name}`)

/** Reads a flag, or an operand such as `<on>`, that must be one of some words. */
export function oneOf<Word extends string>(
  flag: string,
  value: string | undefined,
  words: readonly Word[],
): Word | undefined {
  const word = words.find((known) => known === value)
  if (value === undefined || word !== undefined) return word
  throw new UsageError(
    `${argumentName(flag)} is ${shown(value)}.${didYouMeanSentence(value, words)} It must be ${words.join(' or ')}.`,
  )
}

/** Reads a flag, or an operand such as `<id>`, that must be a whole number from `least` to `most`. */
export function wholeNumber(
  flag: string,
  value: string | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= least && number <= most) return number
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  throw new UsageError(`${argumentName(flag)} is ${shown(value)}. It must be a whole number ${range}.`)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/** Reads a flag that may have a duration. Returns milliseconds. */
export const optionalDuration = (flag: string, value: string | undefined): number | undefined =>
  value === undefined ? undefined : duration(flag, value)

/** Reads a duration, of a flag or its default. Returns milliseconds. */
export function duration(flag: string, value: string, longest = '60s'): number {
  const ms = millisecondsOf(value)
  if (ms !== undefined && ms <= millisecondsOf(longest)!) return ms
  throw new UsageError(
    `--${flag} is ${shown(value)}. It must be a time up to ${longest}, like 500ms, 5s or 1m.`,
  )
}

function millisecondsOf(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  return amount === undefined ? undefined : Math.round(Number(amount) * UNITS[unit!]!)
}
