import { inspect } from 'node:util'
import { isPlainObject } from '../../domain/text/is-object.ts'
import { tidy } from '../../domain/text/tidy.ts'
import { truncate } from '../../domain/text/truncate.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { visibleValue } from '../../domain/text/visible.ts'
import type { Flag } from './flags.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'

/** Where the user has set a value. Errors about the value name it. */
export interface OptionSource {
  /** `--port`, `PAYLINK_PORT`, `port in paylink.config.ts` or `port`. */
  readonly name: string
  /** The name of one entry of the value, by key or index: `--behavior payId`, `allowedHosts[0]`. */
  readonly entry: (key: string | number) => string
}

/**
 * An option. A configuration file and `startSandbox` pass an `Input`; flags and environment variables are converted to an
 * `Input`. `read` turns it into the `Value` that the sandbox uses.
 */
export interface Option<Input, Value> {
  readonly description: Description
  /** An option without a flag can be set in `startSandbox` only. */
  readonly flag?: Flag
  readonly default: Value
  /** The default in `startSandbox` and `exec`, which start a sandbox for one test or run only. */
  readonly temporaryDefault: Value
  /** Validates a value and converts it for the sandbox. Throws a `UsageError`. */
  read(input: Input, source: OptionSource): Value
}

interface Description extends Omit<Flag, 'kind'> {
  /** What the option does, for help, guides and editors. Refers to other options by their flags, such as `--admin-token`. */
  readonly text: string
  /** What the sandbox does if the option is not set. Needed only if `default` does not say it. */
  readonly byDefault?: string
  /** An example of an object, for errors and for the comment that editors show. */
  readonly example?: string
  /** The name of the flag, if it is not the key in kebab-case. */
  readonly flag?: string
}

interface Defaults<Default> {
  readonly default?: Default
  readonly temporaryDefault?: Default
}

type ReadText<Value> = (text: string, source: string) => Value

/** An option whose value is text. `read` converts it. */
export const text = <Value = string, Default extends Value | undefined = undefined>({
  read = (input) => input as Value,
  ...description
}: Description & Defaults<Default> & { readonly read?: ReadText<Value> }): Option<
  string,
  Value | Default
> => ({
  ...describe('text', description, description.default as Default),
  read: (input, { name }) => read(requireText(input, name), name),
})

/** An option that is a whole number. It may also be passed as text. */
export const number = ({
  max = 999_999_999,
  expected,
  ...description
}: Description & Defaults<number> & { readonly max?: number; readonly expected: string }): Option<
  number | string,
  number
> => ({
  ...describe('text', { ...description, expected }, description.default!),
  read(input, { name }) {
    const value = typeof input === 'string' ? requireText(input, name) : input
    const isNumber = typeof value === 'string' || typeof value === 'number'
    if (isNumber && /^\d{1,9}$/.test(String(value)) && Number(value) <= max) return Number(value)
    throw invalidValue(name, input, expected)
  },
})

/** An option that is on or off. */
export const toggle = (description: Description): Option<boolean, boolean> => ({
  ...describe('switch', description, false),
  read(input, { name }) {
    if (typeof input === 'boolean') return input
    throw invalidValue(name, input, 'true or false')
  },
})

/** An option that is a list of strings. Its flag can be repeated. */
export function list<Value>({
  read,
  ...description
}: Description & { readonly read: ReadText<Value> }): Option<readonly string[], readonly Value[]> {
  return {
    ...describe('list', description, []),
    read(input, { name, entry }) {
      if (!Array.isArray(input)) throw invalidValue(name, input, 'a list of strings')
      return input.map((one, index) => read(requireText(one, entry(index)), entry(index)))
    },
  }
}

/** An option that is an object of strings. Its flag `<name>=<value>` can be repeated. */
export function pairs<Value>({
  read,
  ...description
}: Description & {
  readonly read: (entries: readonly Pair[], source: OptionSource) => Value
  readonly example: string
}): Option<Readonly<Record<string, string>>, Value> {
  return {
    ...describe('list', description, read([], { name: '', entry: String })),
    read(input, source) {
      if (input instanceof Pairs) return read(input.entries, source)
      if (!isPlainObject(input)) {
        throw invalidValue(source.name, input, `an object like ${description.example}`)
      }
      const entries = Object.entries(input).filter(([, value]) => value !== undefined)
      return read(
        entries.map(([name, value]) => [name, requireText(value, source.entry(name))]),
        source,
      )
    },
  }
}

type Pair = readonly [name: string, value: string]

/** The values of `pairs` from flags or a variable. They are a list, because an object could not contain a name twice. */
export class Pairs {
  readonly entries: readonly Pair[]

  /** `form` shows how to write an entry: `<team>=<token>`. */
  constructor(texts: readonly string[], name: string, form: string) {
    this.entries = texts.map((entry) => {
      const [left = '', right = ''] = entry.split(/=(.*)/s)
      // The error does not quote the entry, because it may be a token.
      if (left === '' || right === '') throw new UsageError(`${name} must be ${form}.`)
      return [tidy(left), requireText(right, name)]
    })
  }
}

/** An option of `startSandbox` only. */
export const startSandboxOnly = <Value, Default extends Value | undefined = undefined>(
  type: 'function' | 'boolean' | 'number',
  { default: byDefault, ...description }: Description & { readonly default?: Default },
): Option<Value, Value | Default> => ({
  description,
  default: byDefault as Default,
  temporaryDefault: byDefault as Default,
  read(input, { name }) {
    if (typeof input === type && (typeof input !== 'number' || input > 0)) return input
    throw invalidValue(name, input, TYPE_DESCRIPTIONS[type])
  },
})

const TYPE_DESCRIPTIONS = {
  function: 'a function',
  boolean: 'true or false',
  number: 'a number of milliseconds above 0',
} as const

/** The parts of an option that are derived from its description. */
export function describe<Default>(
  kind: Flag['kind'],
  description: Description & Defaults<Default>,
  byDefault: Default,
): Omit<Option<never, Default>, 'read'> {
  const { value, expected, temporaryDefault = byDefault } = description
  const repeatable = kind === 'list' ? '; repeatable' : ''
  const shownDefault = description.byDefault ?? textOfDefault(byDefault)
  const help = `${description.text}${repeatable}${shownDefault === undefined ? '' : ` (${shownDefault})`}`
  return {
    description,
    flag: {
      kind,
      text: help,
      ...(value !== undefined && { value }),
      ...(expected !== undefined && { expected }),
    },
    default: byDefault,
    temporaryDefault,
  }
}

/** The default as text. `undefined` if a sentence cannot contain it. */
export const textOfDefault = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/**
 * Puts options below a heading in help. The type parameter is `object`, because a narrower type would change the types of the
 * options.
 */
export const optionsUnderHeading = <Table extends object>(group: string, options: Table): Table =>
  Object.fromEntries(
    Object.entries(options as Readonly<Record<string, Option<never, unknown>>>).map(([key, option]) => [
      key,
      { ...option, ...(option.flag && { flag: { ...option.flag, group } }) },
    ]),
  ) as unknown as Table

/**
 * Removes invisible characters at the beginning and end of a text. Rejects a control character inside, because nobody types one
 * on purpose.
 */
export function requireText(input: unknown, name: string): string {
  if (typeof input !== 'string') throw invalidValue(name, input, 'a string')
  const value = tidy(input)
  // An empty value usually comes from a variable that is not set.
  if (value === '') throw new UsageError(`${name} is empty. Give it a value, or leave it out.`)
  // The error does not quote the value, because it may be a token.
  const [control] = /\p{Cc}/u.exec(value) ?? []
  if (control !== undefined) {
    throw new UsageError(
      `${name} contains ${describeControl(control)}. Write it on one line, without such characters.`,
    )
  }
  return value
}

const describeControl = (control: string): string =>
  control === '\n' || control === '\r' ? 'a line break' : `the control character ${visibleValue(control)}`

/** `--port is x. It must be a number from 0 to 65535.` */
export function invalidValue(name: string, input: unknown, expected: string): UsageError {
  const value = typeof input === 'string' ? input : inspectValue(input)
  return new UsageError(
    `${name} is ${visibleValue(truncate(hidePasswords(value), MAX_SHOWN))}. It must be ${expected}.`,
  )
}

function inspectValue(value: unknown): string {
  if (typeof value === 'number') return String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // JSON cannot represent the value, for example a BigInt or an object that contains itself.
    return inspect(value, { breakLength: Infinity })
  }
}

const MAX_SHOWN = 200
