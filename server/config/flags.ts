import { parseArgs } from 'node:util'
import { didYouMeanSentence, UsageError } from '../domain/text/usage-error.ts'

export interface Flag {
  readonly kind: 'text' | 'list' | 'switch'
  readonly value?: string
  readonly text: string
  /** What a value has to be, for who gives one that cannot be read. */
  readonly takes?: string
  /** What one of text is without a value. */
  readonly bare?: string
}

/** Where `start` keeps everything, unless told otherwise. */
export const DATABASE = '.paylink/sandbox.db'

/** Every flag of `start`, with the environment variable `PAYLINK_<NAME>` beside it. */
export const flags = {
  config: {
    kind: 'text',
    value: '<file>',
    text: 'configuration file (paylink.config.ts, .js, .mjs or .json, where there is one)',
  },
  port: {
    kind: 'text',
    value: '<n>',
    text: 'port to listen on, 0 for a free one (4400)',
    takes: 'a number from 0 to 65535',
  },
  host: {
    kind: 'text',
    value: '<address>',
    text: 'address to listen on (127.0.0.1); beyond loopback it takes --admin-token',
  },
  db: { kind: 'text', value: '<file>', text: `database file, or :memory: (${DATABASE})` },
  seed: {
    kind: 'text',
    value: '<file>',
    text: 'JSON with accounts, links and more, for a new database and for resets (four accounts, one of them for production, and their invoices)',
  },
  keep: {
    kind: 'text',
    value: '<n>',
    text: 'how many events the journal keeps, the newest ones, 0 for all (50000)',
    takes: 'a whole number, 0 for all',
  },
  'public-url': {
    kind: 'text',
    value: '<url>',
    text: 'base of the links in answers (the address a request came by)',
  },
  'allow-host': {
    kind: 'list',
    value: '<host>',
    text: 'let webhooks out to this host, or to *.domain; repeatable',
  },
  map: {
    kind: 'list',
    value: '<origin>=<url>',
    text: 'send what is meant for an origin, or https://*.domain, to another address; repeatable',
  },
  behavior: {
    kind: 'list',
    value: '<name>=<value>',
    text: 'choose what the API reference leaves open; repeatable',
  },
  clock: {
    kind: 'text',
    value: '<time>',
    text: 'what the clock shows at the start, like 2026-12-01T00:00:00+01:00 (as it was set, at first the time of the machine)',
  },
  'admin-token': {
    kind: 'text',
    value: '<token>',
    text: 'ask for this token on the inspector and the control API',
  },
  'tunnel-token': {
    kind: 'list',
    value: '<team>=<token>',
    text: 'let this token listen at the tunnels <team> and <team>-… and nothing else; repeatable',
  },
  tls: {
    kind: 'switch',
    text: 'serve https, with a certificate of its own that is made once and kept beside the database',
  },
  'tls-cert': { kind: 'text', value: '<file>', text: 'serve https with this PEM certificate, and --tls-key' },
  'tls-key': { kind: 'text', value: '<file>', text: 'the PEM key of --tls-cert, without a password' },
  open: { kind: 'switch', text: 'open the inspector in the default browser' },
  json: { kind: 'switch', text: 'write JSON lines to stdout, text for people to stderr' },
  quiet: { kind: 'switch', text: 'print nothing but the ready line' },
} as const satisfies Record<string, Flag>

/** A value with where it comes from, for whoever has to say what is wrong with it. */
export interface Given {
  /** An object where a configuration file holds what its flag names a file for. */
  readonly value: string | readonly string[] | boolean | Readonly<Record<string, unknown>>
  /** `--port`, `PAYLINK_PORT`, `port in paylink.config.ts`. */
  readonly place: string
  /** How to give another one, as in `Pass --port with`. */
  readonly how: string
}

export type Values<Name extends string> = Partial<Record<Name, Given>>

/** Reads what a command line gives of some flags, and of nothing else. */
export const readFlags = <Name extends string>(
  known: Readonly<Record<Name, Flag>>,
  args: readonly string[],
): Values<Name> => readArgs(known, args, false).values

/** Reads flags, and where that is allowed what stands between them. */
export function readArgs<Name extends string>(
  known: Readonly<Record<Name, Flag>>,
  args: readonly string[],
  allowPositionals: boolean,
): { readonly values: Values<Name>; readonly positionals: readonly string[] } {
  const options = Object.fromEntries(
    Object.entries<Flag>(known).map(([name, { kind }]) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const), multiple: kind === 'list' },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg, index) => filled(known, arg, args[index + 1])),
      options,
      strict: true,
      allowPositionals,
    })
    const given = Object.entries(values).map(([name, value]) => [
      name,
      { value, place: `--${name}`, how: `Pass --${name} with` },
    ])
    return { values: Object.fromEntries(given) as Values<Name>, positionals }
  } catch (error) {
    throw new UsageError(explainFlag(error, known))
  }
}

/** A flag that has something to be without a value, and is given none. */
function filled(known: Readonly<Record<string, Flag>>, arg: string, next: string | undefined): string {
  const bare = arg.startsWith('--') ? known[arg.slice(2)]?.bare : undefined
  return bare === undefined || (next !== undefined && !next.startsWith('-')) ? arg : `${arg}=${bare}`
}

function explainFlag(error: unknown, known: Readonly<Record<string, Flag>>): string {
  const message = error instanceof Error ? error.message : String(error)
  const unknown = /Unknown option '(--?[^']+)'/.exec(message)?.[1]
  if (unknown !== undefined) {
    const names = Object.keys(known).map((name) => `--${name}`)
    const longer = names.find((name) => name.endsWith(unknown.slice(1)))
    const near = longer === undefined ? didYouMeanSentence(unknown, names) : ` Did you mean ${longer}?`
    return `Unknown flag ${unknown}.${near} --help lists them.`
  }
  const stray = /Unexpected argument '([^']+)'/.exec(message)?.[1]
  if (stray !== undefined) return `Unexpected argument ${stray}. Flags begin with --, --help lists them.`
  const dashed = /use '(--?[^']+)'/.exec(message)?.[1]
  const takes = dashed === undefined ? undefined : known[/^--([^=]+)/.exec(dashed)?.[1] ?? '']?.takes
  if (takes !== undefined) return `${dashed!.split('=')[0]} takes ${takes}.`
  if (dashed !== undefined) return `A value that begins with a dash is written with =, like ${dashed}.`
  return `${message.split('\n')[0]!.replace(/\.$/, '')}. --help lists the flags.`
}

/** Reads what the environment gives of them. A variable that is empty was never set. */
export function readEnvironment<Name extends string>(
  known: Readonly<Record<Name, Flag>>,
  environment: NodeJS.ProcessEnv,
): Values<Name> {
  const found: Partial<Record<string, Given>> = {}
  for (const [name, flag] of Object.entries<Flag>(known)) {
    const variable = `PAYLINK_${name.toUpperCase().replaceAll('-', '_')}`
    const text = environment[variable]
    if (text !== undefined && text !== '') {
      found[name] = { value: valueOf(flag, text, variable), place: variable, how: `Set ${variable} to` }
    }
  }
  return found as Values<Name>
}

function valueOf({ kind, value }: Flag, text: string, variable: string): Given['value'] {
  switch (kind) {
    case 'text':
      return text
    case 'list':
      return entriesIn(text, value?.includes('=') ?? false)
    case 'switch':
      if (['1', 'true', 'yes'].includes(text)) return true
      if (['0', 'false', 'no'].includes(text)) return false
      throw new UsageError(`${variable} is ${text}. Set it to true or false.`)
  }
}

/** The value of a pair may have commas itself: what has no name goes on with the entry before. */
function entriesIn(text: string, arePairs: boolean): string[] {
  const entries: string[] = []
  for (const part of text.split(',').map((entry) => entry.trim())) {
    const before = arePairs && !part.includes('=') ? entries.pop() : undefined
    entries.push(before === undefined ? part : `${before},${part}`)
  }
  return entries
}
