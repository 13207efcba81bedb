import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { readArgs, type Flag, type FlagValues } from '../runtime/config/flags.ts'
import type { CommandIo } from './io.ts'

/** The flags of a command by name. Help lists them in this sequence. */
export type Flags = Readonly<Record<string, Flag>>

/** The actions of a command such as `refund approve 1001`, by name. The first action is the default. */
export type Actions = Readonly<
  Record<string, { readonly operands: readonly string[]; readonly text: string }>
>

/** The description of a command, from which its help is made and its arguments are read. */
interface Description {
  /** What the command does, like `pay a link`. Help makes a sentence of it. */
  readonly text: string
  /**
   * The operands in the notation of help. `<…>` is required, `[…]` is optional, and `…` at the end of a name means that it can be
   * repeated.
   */
  readonly operands?: readonly string[]
  readonly actions?: Actions
  /** True if the arguments end with `-- <command> [argument]…`. */
  readonly endsWithCommand?: boolean
  readonly flags: Flags
  /** What to say about an argument like `-3d`, which would be an unknown flag. */
  readonly ifNegative?: string
  /** At least two. Each runs unchanged with a new sandbox. */
  readonly examples: readonly [string, string, ...string[]]
  /** Paragraphs that help prints after the flags. */
  readonly notes?: () => readonly (readonly string[])[]
  /** The exit codes, if they differ from those of other commands. */
  readonly exitCodes?: string
}

/** A command, as far as `run` and help use it. */
export interface Command extends Description {
  run(name: string, args: readonly string[], io: CommandIo): Promise<number>
}

/** The values of flags, by name. */
export type FlagsOf<Table extends Flags> = {
  readonly [Name in keyof Table]: Table[Name]['kind'] extends 'switch'
    ? boolean
    : Table[Name]['kind'] extends 'list'
      ? readonly string[]
      : string | undefined
}

/** The values of operands. A required operand always has a value. */
type OperandsOf<Operands extends readonly string[]> = Operands extends readonly [
  infer First,
  ...infer Rest extends readonly string[],
]
  ? First extends `<${string}>…`
    ? readonly [string, ...string[]]
    : First extends `${string}…`
      ? readonly string[]
      : First extends `<${string}`
        ? readonly [string, ...OperandsOf<Rest>]
        : readonly [string?, ...OperandsOf<Rest>]
  : readonly []

/** The chosen action of a command, with its operands. */
type ActionOf<Table extends Actions> = {
  [Name in keyof Table]: { readonly action: Name; readonly operands: OperandsOf<Table[Name]['operands']> }
}[keyof Table]

interface Arguments<Table extends Flags> {
  readonly flags: FlagsOf<Table>
  readonly values: FlagValues
  readonly args: readonly string[]
  /** The arguments after `--`, for commands that run another command. */
  readonly commandLine: readonly string[]
  readonly name: string
  /** The syntax of the command, for errors. */
  readonly usage: string
}

/** Defines a command whose first operand is an action. */
export function command<const Table extends Flags, const Acts extends Actions>(
  definition: Description & {
    readonly flags: Table
    readonly actions: Acts
    readonly operands?: never
    run(input: Arguments<Table> & ActionOf<Acts>, io: CommandIo): Promise<number>
  },
): Command
/** Defines a command. The types of the arguments of `run` are derived from the description. */
export function command<const Table extends Flags, const Operands extends readonly string[] = readonly []>(
  definition: Description & {
    readonly flags: Table
    readonly operands?: Operands
    readonly actions?: never
    run(input: Arguments<Table> & { readonly operands: OperandsOf<Operands> }, io: CommandIo): Promise<number>
  },
): Command
export function command(
  definition: Description & { run(input: never, io: CommandIo): Promise<number> },
): Command {
  return {
    ...definition,
    // The overloads above give `input` its type, so any type is accepted here.
    run: async (name, args, io) => definition.run(readArguments(name, definition, args) as never, io),
  }
}

/** The syntax of a command: `npx paylink-sandbox pay <link> [flags]`. */
export function usageOf(
  name: string,
  { operands = [], actions, endsWithCommand = false }: Description,
): string {
  const written = actions === undefined ? operands : operandsOfActions(actions)
  const end = endsWithCommand ? ['--', '<command>', '[argument]…'] : []
  return ['npx paylink-sandbox', name, ...written, '[flags]', ...end].join(' ')
}

/** `[list|take|restore] [name]`, or `[value]…` if the actions have different operands. */
function operandsOfActions(actions: Actions): string[] {
  const kinds = new Set(
    Object.values(actions).flatMap(({ operands }) => (operands.length === 0 ? [] : [operands.join(' ')])),
  )
  const [kind = ''] = kinds
  const isOne = kinds.size === 1 && /^[<[][^ ]*$/.test(kind)
  const operands = kinds.size === 0 ? [] : [isOne ? `[${kind.slice(1, -1)}]` : '[value]…']
  return [`[${Object.keys(actions).join('|')}]`, ...operands]
}

function readArguments(name: string, description: Description, args: readonly string[]) {
  const { flags: table, operands = [], actions, endsWithCommand = false, ifNegative } = description
  const dashes = endsWithCommand && args.includes('--') ? args.indexOf('--') : args.length
  if (ifNegative !== undefined && args.some((arg) => /^-\d/.test(arg))) throw new UsageError(ifNegative)
  const { values, positionals } = readArgs(table, args.slice(0, dashes))
  const empty = Object.keys(values).find((flag) => values[flag] === '' && !table[flag]?.canBeEmpty)
  if (empty !== undefined) throw new UsageError(`--${empty} is empty. Give it a value, or leave it out.`)

  const usage = usageOf(name, description)
  if (actions === undefined) checkOperands(name, usage, operands, positionals)
  return {
    ...(actions === undefined ? { operands: positionals } : readAction(name, actions, positionals)),
    flags: Object.fromEntries(
      Object.entries(table).map(([flag, { kind }]) => [flag, values[flag] ?? UNSET_VALUES[kind]]),
    ),
    values,
    args,
    commandLine: args.slice(dashes + 1),
    name,
    usage,
  }
}

const UNSET_VALUES = { text: undefined, list: [], switch: false } as const satisfies Record<
  Flag['kind'],
  unknown
>

/** Reads the action and the operands of a command such as `refund approve 1001`. */
function readAction(name: string, actions: Actions, positionals: readonly string[]) {
  const names = Object.keys(actions)
  const [action = names[0]!, ...operands] = positionals
  const expected = actions[action]?.operands
  if (expected === undefined) {
    throw new UsageError(
      `${name} has no action ${action}.${didYouMeanSentence(action, names)} Its actions are ${names.join(', ')}.`,
    )
  }
  const line = `${name} ${action}`
  checkOperands(line, ['npx paylink-sandbox', line, ...expected].join(' '), expected, operands)
  return { action, operands }
}

/** Throws a `UsageError` if an operand is missing or if there are too many. `usage` is the correct syntax. */
function checkOperands(
  name: string,
  usage: string,
  expected: readonly string[],
  operands: readonly string[],
): void {
  // An operand is empty if a variable in a script is not set.
  const missing = expected.find((operand, index) => operand.startsWith('<') && !operands[index])
  if (missing !== undefined) throw new UsageError(`${name} requires ${missing}. Write ${usage}.`)
  const superfluous = expected.at(-1)?.endsWith('…') ? undefined : operands[expected.length]
  if (superfluous !== undefined) {
    throw new UsageError(`${name} does not take ${superfluous}. Write ${usage}.`)
  }
}
