import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import { parseArgs } from 'node:util'
import { tidy } from '../../domain/text/tidy.ts'
import { UsageError } from '../../domain/text/usage-error.ts'

/** A flag of a command, as its help shows it. */
export interface Flag {
  readonly kind: 'text' | 'list' | 'switch'
  /** The placeholder of the value in help: `<file>`. */
  readonly value?: string
  readonly text: string
  /** The heading of the flag's group in help. Flags without a group come first. */
  readonly group?: string
  /** What a value must be, for errors, like `a number from 0 to 65535`. */
  readonly expected?: string
  /** Whether spaces and line ends around the value are kept, as in a body. */
  readonly isVerbatim?: boolean
  /**
   * Whether an empty value is accepted, as for a body. Other flags ignore an empty value, because it usually comes from an
   * unset variable in a script.
   */
  readonly canBeEmpty?: boolean
  /** The value of a text flag that is passed without a value. */
  readonly bare?: string
}

/** Flags as they were passed. */
export type FlagValues = Readonly<Partial<Record<string, string | boolean | readonly string[]>>>

/** Reads the flags of a command line, and the operands between them. */
export function readArgs(
  flags: Readonly<Record<string, Flag>>,
  args: readonly string[],
): { readonly values: FlagValues; readonly positionals: readonly string[] } {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { kind }]) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const), multiple: kind === 'list' },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg, index) => withBareValue(flags, arg, args[index + 1])),
      options,
      strict: true,
      allowPositionals: true,
    })
    return { values: tidyValues(flags, values as FlagValues), positionals: positionals.map(tidy) }
  } catch (error) {
    throw new UsageError(explainFlag(error, flags))
  }
}

/** Removes the carriage return that a script with Windows line ends appends to its last argument. */
const tidyValues = (flags: Readonly<Record<string, Flag>>, values: FlagValues): FlagValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (flags[name]?.isVerbatim || typeof value === 'boolean' || value === undefined) return [name, value]
      return [name, typeof value === 'string' ? tidy(value) : value.map(tidy)]
    }),
  )

/** Adds the value `bare` to a flag that was passed without a value. */
function withBareValue(flags: Readonly<Record<string, Flag>>, arg: string, next: string | undefined): string {
  const bare = arg.startsWith('--') ? flags[arg.slice(2)]?.bare : undefined
  return bare === undefined || (next !== undefined && !next.startsWith('-')) ? arg : `${arg}=${bare}`
}

function explainFlag(error: unknown, flags: Readonly<Record<string, Flag>>): string {
  const message = error instanceof Error ? error.message : String(error)
  const unknown = /Unknown option '(--?[^']+)'/.exec(message)?.[1]
  if (unknown !== undefined) {
    const names = Object.keys(flags).map((name) => `--${name}`)
    const longer = names.find((name) => name.endsWith(unknown.slice(1)))
    const hint = longer === undefined ? didYouMeanSentence(unknown, names) : ` Did you mean ${longer}?`
    return `Unknown flag ${unknown}.${hint} --help lists them.`
  }
  const dashed = /use '(--?[^']+)'/.exec(message)?.[1]
  const [, name = ''] = /^--([^=]+)/.exec(dashed ?? '') ?? []
  const expected = flags[name]?.expected
  if (expected !== undefined) return `--${name} must be ${expected}.`
  if (dashed !== undefined) return `Use = for a value that starts with a dash, like ${dashed}.`
  return `${message.split('\n')[0]!.replace(/\.$/, '')}. --help lists the flags.`
}

/** Puts flags below a heading in help. */
export const flagsUnderHeading = <const Table extends Readonly<Record<string, Flag>>>(
  group: string,
  flags: Table,
): Table =>
  Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { ...flag, group }]),
  ) as unknown as Table
