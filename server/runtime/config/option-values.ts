import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import { tidy } from '../../domain/text/tidy.ts'
import { UsageError, type NameOption } from '../../domain/text/usage-error.ts'
import { unquoted, variableIn } from '../../platform/system/environment.ts'
import type { Flag, FlagValues } from './flags.ts'
import { Pairs, textOfDefault, type Option, type OptionSource } from './option.ts'
import type { ValuesOf } from './options.ts'

/** A value that the user has set, before it is validated. */
interface OptionValue {
  readonly value: unknown
  readonly source: OptionSource
}

/** Values that the user has set, by option key. */
export type OptionValues = Readonly<Partial<Record<string, OptionValue>>>

/** Options by key, such as those of `start`. */
type Options = Readonly<Record<string, Option<never, unknown>>>

/** The name of an option's flag without the dashes: `public-url`. */
const flagNameOf = (options: Options, key: string): string =>
  options[key]?.description.flag ?? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The flags for a table of options, by name. */
export const flagsOf = (options: Options): Readonly<Record<string, Flag>> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([key, { flag }]) => (flag ? [[flagNameOf(options, key), flag]] : [])),
  )

/** The description of an option for code: `Port to listen on. Default: 4400, or 0 in startSandbox.` */
export function optionComment(options: Options, key: string): string {
  const { description, default: value, temporaryDefault } = options[key]!
  const { text, example, byDefault = textOfDefault(value) } = description
  const words = text.replaceAll(/--([a-z-]+)/g, (flag, name: string) => {
    const optionKey = Object.keys(options).find((other) => flagNameOf(options, other) === name)
    return optionKey === undefined ? flag : `\`${optionKey}\``
  })
  const temporary = textOfDefault(temporaryDefault) ?? byDefault
  return [
    `${words.charAt(0).toUpperCase()}${words.slice(1)}${example === undefined ? '' : `: \`${example}\``}.`,
    ...(byDefault === undefined
      ? []
      : [`Default: ${byDefault}${temporary === byDefault ? '' : `, or ${temporary} in startSandbox`}.`]),
  ].join(' ')
}

/** The values that flags set. */
export const valuesOfFlags = (options: Options, flags: FlagValues): OptionValues =>
  collect(options, (key, { flag }) => {
    const name = `--${flagNameOf(options, key)}`
    const source: OptionSource = {
      name,
      entry: (entry) => (typeof entry === 'number' ? name : `${name} ${entry}`),
    }
    return { value: withPairs(flags[name.slice(2)], name, flag), source }
  })

/** The values that environment variables set. An empty variable counts as not set. */
export const valuesOfEnvironment = (options: Options, environment: NodeJS.ProcessEnv): OptionValues =>
  collect(options, (key, { flag }) => {
    const name = `PAYLINK_${flagNameOf(options, key).toUpperCase().replaceAll('-', '_')}`
    const source: OptionSource = {
      name,
      entry: (entry) => (typeof entry === 'number' ? name : `${entry} in ${name}`),
    }
    return { value: withPairs(valueIn(variableIn(environment, name), flag), name, flag), source }
  })

const arePairs = ({ value }: Flag): boolean => value?.includes('=') ?? false

const withPairs = (value: unknown, name: string, flag: Flag | undefined): unknown =>
  flag !== undefined && arePairs(flag) && Array.isArray(value) ? new Pairs(value, name, flag.value!) : value

/** The values in an object, such as a configuration file exports. Errors call the object `where`. */
export function valuesOfObject(
  options: Options,
  object: Readonly<Record<string, unknown>>,
  where: string,
  suffix: string,
): OptionValues {
  const unknown = Object.keys(object).find((key) => !Object.hasOwn(options, key))
  if (unknown !== undefined) {
    const keys = Object.keys(options)
    const hint = didYouMeanSentence(unknown, keys) || ` The keys are ${keys.join(', ')}.`
    throw new UsageError(`${where} has an unknown key ${unknown}.${hint}`)
  }
  return collect(options, (key) => ({
    value: object[key],
    source: {
      name: `${key}${suffix}`,
      entry: (entry) => `${key}${typeof entry === 'number' ? `[${entry}]` : `.${entry}`}${suffix}`,
    },
  }))
}

function collect(
  options: Options,
  valueOf: (key: string, option: Option<never, unknown>) => OptionValue,
): OptionValues {
  const values = Object.entries(options).map(([key, option]) => [key, valueOf(key, option)] as const)
  return Object.fromEntries(values.filter(([, { value }]) => value !== undefined))
}

/** Validates the values of a table of options, and adds the defaults. */
export function readOptions<Table extends Options>(
  options: Table,
  values: OptionValues,
  isTemporary = false,
): ValuesOf<Table> {
  const entries = Object.entries(options).map(([key, option]) => {
    const set = values[key]
    if (set === undefined) return [key, isTemporary ? option.temporaryDefault : option.default]
    return [key, option.read(set.value as never, set.source)]
  })
  return Object.fromEntries(entries) as ValuesOf<Table>
}

/** The name of an option in errors: where the user has set it, or the flag if it is not set. */
export const namesOf =
  (options: Options, values: OptionValues): NameOption =>
  (key) =>
    values[key]?.source.name ?? `--${flagNameOf(options, key)}`

const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = {
  1: true,
  true: true,
  yes: true,
  0: false,
  false: false,
  no: false,
}

function valueIn(text: string | undefined, flag: Flag | undefined): unknown {
  if (text === undefined || flag === undefined) return undefined
  if (flag.kind === 'switch') return BOOLEAN_WORDS[text.toLowerCase()] ?? text
  return flag.kind === 'list' ? entriesIn(text, flag) : text
}

/** Splits a text at commas. In a list of `name=value` pairs, a part without `=` belongs to the previous value. */
function entriesIn(text: string, flag: Flag): string[] {
  const parts = text
    .replaceAll(/^[\s,]+|[\s,]+$/g, '')
    .split(',')
    .map(tidy)
  if (!arePairs(flag)) return parts.filter((part) => part !== '').map(unquoted)
  const entries: string[] = []
  for (const part of parts) {
    const before = part.includes('=') ? undefined : entries.pop()
    entries.push(before === undefined ? part : `${before},${part}`)
  }
  return entries.map(unquoted)
}
