import { isDatabaseUrl } from '../../platform/system/database-name.ts'
import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import { WEBHOOK_TIMEOUT_MS } from '../../domain/webhooks/limits.ts'
import {
  behaviorNames,
  describeOptions,
  isBehaviorName,
  isBehaviorValue,
  type BehaviorChoices,
} from '../../domain/behaviors/behavior.ts'
import type { EventOf, RecordedEvent } from '../../domain/events/event.ts'
import { parseHostPattern } from '../../domain/network/allowed-host.ts'
import { whyNoHeader } from '../../domain/http/header-value.ts'
import { UPSTREAM_TIMEOUT_MS } from '../../domain/api/upstream.ts'
import type { DnsLookup } from '../../domain/network/dns.ts'
import { normalizeMap, type OriginMap } from '../../domain/network/origin-map.ts'
import { TUNNEL_NAME_PATTERN } from '../../domain/network/tunnel.ts'
import { findDuplicateMap, validateMapFrom, validateMapTo } from '../../domain/network/validate-map.ts'
import type { SeedInput } from '../../domain/state/seed-input.ts'
import { isPlainObject } from '../../domain/text/is-object.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { isInClockRange } from '../../domain/time/clock.ts'
import { rejectUnsafeOrigin } from './reject-unsafe-origin.ts'
import {
  list,
  notValid,
  number,
  pairs,
  startSandboxOnly,
  text,
  textIn,
  toggle,
  type Option,
} from './option.ts'
import { rejectCredentials } from './reject-credentials.ts'

// One entry defines everything about an option: its flag, its `PAYLINK_` variable, its key in a configuration file and
// in `startSandbox`, its types, its help, and its row in the guides. Editors show the comment above it.

const PORT = 4400
const HOST = '127.0.0.1'
const DATABASE = '.paylink/sandbox.db'
const KEPT_EVENTS = 50_000

/** Options of every sandbox: of `start`, `exec`, the configuration file and `startSandbox`. */
export const sandboxOptions = {
  /** Port to listen on. 0 picks a free port. Default: 4400, or 0 in `startSandbox`. */
  port: number({
    value: '<n>',
    text: `port to listen on, 0 for a free one (${PORT})`,
    max: 65_535,
    expected: 'a number from 0 to 65535',
    default: PORT,
    temporaryDefault: 0,
  }),
  /** Address to listen on. One that other machines can reach requires `adminToken`. Default: 127.0.0.1. */
  host: text({
    value: '<address>',
    read: normalizeHost,
    text: `address to listen on (${HOST}); one that other machines can reach requires --admin-token`,
    default: HOST,
  }),
  /**
   * Database file, `:memory:`, or a PostgreSQL database like `postgres://user@host/database?schema=team-a`. Default:
   * `.paylink/sandbox.db`, or `:memory:` in `startSandbox`.
   */
  db: text({
    value: '<file>',
    text: `database file, :memory: or postgres:// URL (${DATABASE})`,
    default: DATABASE,
    temporaryDefault: ':memory:',
    read(file, name) {
      if (isDatabaseUrl(file)) return file
      // SQLite would create folders for the parts of a URL. The error leaves it out, because it may contain a password.
      if (!/^([a-z][a-z\d+.-]+:\/\/|(file|sqlite|postgres|postgresql):)/i.test(file)) return file
      throw new UsageError(
        `${name} is a URL. It must be the path of a file, like ${DATABASE}, or begin with postgres://.`,
      )
    },
  }),
  /** Initial data of a new database, and of a reset: a seed, or the name of a JSON file. Default: four accounts. */
  seed: {
    flag: {
      kind: 'text',
      value: '<file>',
      text: 'JSON file that a new database and every reset start from (four example accounts with invoices)',
    },
    default: undefined,
    temporaryDefault: undefined,
    read(seed, { name }) {
      if (typeof seed === 'string') return textIn(seed, name)
      if (isPlainObject(seed)) return seed
      throw notValid(name, seed, 'the name of a file, or a seed')
    },
  } as Option<SeedInput | string, SeedInput | string | undefined>,
  /** How many events the journal keeps. The oldest ones are deleted. 0 keeps all of them. Default: 50000. */
  keep: number({
    value: '<n>',
    text: `how many of the newest events the journal keeps, 0 for all (${KEPT_EVENTS})`,
    expected: 'a whole number, 0 for all',
    default: KEPT_EVENTS,
  }),
  /** Base URL of the links in answers. Default: the address that the request was sent to. */
  publicUrl: text({
    value: '<url>',
    text: 'base URL of pay links and QR codes (the address that the request was sent to)',
    read: readOrigin,
  }),
  /** Public hosts to which webhooks may go, such as `*.shop.example`. This machine and private networks are always allowed. */
  allowedHosts: list({
    flag: 'allow-host',
    value: '<host>',
    text: 'allow webhooks to this host, or to *.domain; repeatable',
    read(entry, name) {
      const host = parseHostPattern(entry)
      if (host !== null) return host
      throw notValid(name, entry, 'a host like shop.example, or *.shop.example for those below it')
    },
  }),
  /** Sends webhooks and redirects for an origin elsewhere: `{ 'https://shop.example.com': 'http://localhost:3000' }`. */
  maps: pairs({
    flag: 'map',
    value: '<origin>=<url>',
    text: 'send webhooks and redirects for an origin, or for https://*.domain, to another address; repeatable',
    example: "{ 'https://shop.example.com': 'http://localhost:3000' }",
    read(entries, { name, entry }): readonly OriginMap[] {
      const maps = entries.map(([from, to]) => {
        const problem = validateMapFrom(from) ?? validateMapTo(to)
        if (problem !== null) throw new UsageError(`${entry(from)} ${problem}.`)
        return normalizeMap({ from, to })
      })
      const again = findDuplicateMap(maps)
      if (again < 0) return maps
      throw new UsageError(`${name} maps ${maps[again]!.from} twice. Leave one of them out.`)
    },
  }),
  /** How the sandbox behaves where the API reference is silent. */
  behaviors: pairs({
    flag: 'behavior',
    value: '<name>=<value>',
    text: 'choose how the sandbox behaves where the API reference is silent; repeatable',
    example: "{ payId: 'distinct' }",
    read(entries, { entry }): BehaviorChoices {
      for (const [name, value] of entries) {
        if (!isBehaviorName(name)) {
          const hint = didYouMeanSentence(name, behaviorNames) || ` There are ${behaviorNames.join(', ')}.`
          throw new UsageError(`${entry(name)} is not a behavior.${hint}`)
        }
        if (!isBehaviorValue(name, value)) throw notValid(entry(name), value, describeOptions(name))
      }
      return Object.fromEntries(entries)
    },
  }) as Option<BehaviorChoices, BehaviorChoices>,
  /** Result of `calibrate`, a file. What the service does as the sandbox is no longer an assumption. */
  calibration: text({
    value: '<file>',
    text: 'result of calibrate: open points that it confirms are no longer reported as assumptions',
  }),
  /** Time of the sandbox's clock at the start: ISO 8601 with a zone. Default: the clock keeps its previous setting. */
  clock: text({
    value: '<time>',
    text: 'set the clock to a time like 2026-12-01T00:00:00+01:00 (unchanged; a new database uses the time of the machine)',
    read(time, name) {
      if (isZonedTime(time) && isInClockRange(time)) return new Date(time).toISOString()
      throw notValid(name, time, 'an ISO 8601 time with its zone, like 2026-12-01T00:00:00+01:00')
    },
  }),
  /** Token that the inspector and the control API require. */
  adminToken: text({
    value: '<token>',
    text: 'require this token on the inspector and the control API',
    read: readToken,
  }),
  /** Tokens that open the tunnels `<team>` and `<team>-…` and nothing else: `{ ada: 'secret-of-ada' }`. */
  tunnelTokens: pairs({
    flag: 'tunnel-token',
    value: '<team>=<token>',
    text: 'token for listen that opens only the tunnels <team> and <team>-…; repeatable',
    example: "{ ada: 'secret-of-ada' }",
    read(entries, { entry }): Readonly<Record<string, string>> {
      for (const [team, token] of entries) {
        if (!TUNNEL_NAME_PATTERN.test(team)) {
          throw new UsageError(`${entry(team)} is not a team. Use lower-case letters, digits and dashes.`)
        }
        readToken(token, entry(team))
        // The token of a team opens every tunnel whose name begins with the team and a dash.
        const other = entries.find(([one]) => one.startsWith(`${team}-`))
        if (other === undefined) continue
        throw new UsageError(
          `${entry(team)} would also open the tunnels of ${other[0]}. Give one of the teams another name.`,
        )
      }
      return Object.fromEntries(entries)
    },
  }),
  /** Real environment that answers the calls instead of the sandbox, such as `https://dev.pay.example`. */
  upstream: text({
    value: '<origin>',
    text: 'let this real environment answer the calls, and record its answers',
    read: readUpstream,
  }),
  /** Sends calls with a production key to the upstream too. Without it, such calls are refused. */
  allowProductionKey: toggle({ text: 'send calls with a production key to --upstream too' }),
  /** Serves https. The self-signed certificate is made once and kept beside the database. */
  tls: toggle({
    text: 'serve https with a self-signed certificate, which is created once and kept beside the database',
  }),
  /** PEM file of the certificate to serve https with. Requires `tlsKey`. */
  tlsCert: text({ value: '<file>', text: 'serve https with this PEM certificate; requires --tls-key' }),
  /** PEM file of the key of `tlsCert`. */
  tlsKey: text({ value: '<file>', text: 'PEM key of --tls-cert, without a password' }),
}

/** Options of the command line and the configuration file only. */
const commandOptions = {
  /** Opens the inspector in the default browser. */
  open: toggle({ text: 'open the inspector in the default browser' }),
  /** Shares the PostgreSQL database with other processes: one of them leads, the others forward to it. */
  replicas: toggle({
    text: 'share the database with other processes: one leads, the others forward to it; requires PostgreSQL',
  }),
  /** Address at which the other replicas reach this process. Default: the address that it listens on. */
  replicaUrl: text({
    value: '<url>',
    text: 'address at which the other replicas reach this process (the address that it listens on)',
    read: readOrigin,
  }),
  /** Writes JSON lines to stdout, and text for people to stderr. */
  json: toggle({ text: 'write JSON lines to stdout, text for people to stderr' }),
  /** Prints only the ready line. */
  quiet: toggle({ text: 'print only the ready line' }),
}

/** Options of `startSandbox` only. */
export const startSandboxOnlyOptions = {
  /** How long a receiver may take to answer a webhook, in milliseconds. Default: 10000. */
  deliveryTimeoutMs: startSandboxOnly<number, number>('number', WEBHOOK_TIMEOUT_MS),
  /** How long the upstream may take to answer a call, in milliseconds. Default: 30000. */
  upstreamTimeoutMs: startSandboxOnly<number, number>('number', UPSTREAM_TIMEOUT_MS),
  /** How often an idle stream of events sends `alive`, in milliseconds. Default: 15000. */
  streamHeartbeatMs: startSandboxOnly<number, number>('number', 15_000),
  /** How often both ends of a listener's connection send a ping, in milliseconds. Default: 5000. */
  listenerHeartbeatMs: startSandboxOnly<number, number>('number', 5_000),
  /** The time of the machine, which the sandbox's clock starts from. */
  now: startSandboxOnly<() => Date, () => Date>('function', () => new Date()),
  /** Whether the sandbox runs in a container, where localhost is not the host machine. Default: detected. */
  isInContainer: startSandboxOnly<boolean>('boolean'),
  /** Finds the addresses of a host name for webhooks. Default: the resolver of the machine. */
  lookup: startSandboxOnly<DnsLookup>('function'),
  /** Called with each diagnostic, and with the event that it is about. */
  onDiagnostic:
    startSandboxOnly<(found: RecordedEvent<EventOf<'diagnostic.found'>>, about?: RecordedEvent) => void>(
      'function',
    ),
  /** Called with each failure of the sandbox itself. Default: prints it. */
  onError: startSandboxOnly<(error: unknown) => void>('function'),
}

/** Every option of `start`, in the order of its help. */
export const startOptions = {
  /** Configuration file. Default: `paylink.config.ts`, `.js`, `.mjs` or `.json`, if there is one. */
  config: text({
    value: '<file>',
    text: 'configuration file (paylink.config.ts, .js, .mjs or .json, if there is one)',
  }),
  ...sandboxOptions,
  ...commandOptions,
}

export const fileOptions = { ...sandboxOptions, ...commandOptions }
export const startSandboxOptions = { ...sandboxOptions, ...startSandboxOnlyOptions }

type InputsOf<Table> = {
  readonly [Key in keyof Table]?: Table[Key] extends Option<infer Input, infer _Value>
    ? Input | undefined
    : never
}

/** The values of some options, as the sandbox uses them. */
export type ValuesOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<never, infer Value> ? Value : never
}

/** A configuration file. */
export interface SandboxConfig extends InputsOf<typeof fileOptions> {}

/** Options of `startSandbox`. */
export interface SandboxOptions extends InputsOf<typeof startSandboxOptions> {}

/** Shorter tokens can be guessed. */
const MIN_TOKEN_LENGTH = 8

/** `[::1]`, as in a URL, becomes `::1`, and so do its longer forms. */
function normalizeHost(host: string): string {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return URL.canParse(`http://[${address}]`)
    ? new URL(`http://[${address}]`).hostname.slice(1, -1)
    : address.toLowerCase()
}

/** No message contains a token. */
function readToken(token: string, name: string): string {
  if (token.length < MIN_TOKEN_LENGTH) {
    throw new UsageError(`${name} is too short. It must have at least ${MIN_TOKEN_LENGTH} characters.`)
  }
  const problem = whyNoHeader(token)
  if (problem !== undefined) throw new UsageError(`${name} ${problem}.`)
  return token
}

function readOrigin(url: string, name: string): string {
  rejectCredentials(name, url, 'the sandbox asks for no password there. Set an admin token to protect it')
  if (/^https?:\/\/[^/?#]+\/?$/.test(url) && URL.canParse(url)) return new URL(url).origin
  throw notValid(name, url, 'an address like https://pay.example, without a path')
}

function readUpstream(address: string, name: string): string {
  const isOrigin = /^https?:\/\/[^/?#]+\/?$/i.test(address) && URL.canParse(address)
  if (!isOrigin) throw notValid(name, address, 'an address like https://dev.pay.example, without a path')
  rejectUnsafeOrigin(name, address)
  return new URL(address).href.replace(/\/$/, '')
}

/** Whether a text is an ISO 8601 time with a zone, on a day that exists. */
function isZonedTime(time: string): boolean {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(
      time,
    ) ?? []
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day!)
}
