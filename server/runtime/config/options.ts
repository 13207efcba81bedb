import { isIP } from 'node:net'
import { join } from 'node:path'
import { isDatabaseUrl } from '../../platform/system/database-name.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'
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
import { whyInvalidHeaderValue } from '../../domain/http/header-value.ts'
import { UPSTREAM_TIMEOUT_MS } from '../../domain/api/upstream.ts'
import type { DnsLookup } from '../../domain/network/dns.ts'
import { normalizeMap, type OriginMap } from '../../domain/network/origin-map.ts'
import { TUNNEL_NAME_PATTERN } from '../../domain/network/tunnel.ts'
import {
  findDuplicateMap,
  whyInvalidMapOrigin,
  whyInvalidMapTarget,
} from '../../domain/network/validate-map.ts'
import type { SeedInput } from '../../domain/state/seed-input.ts'
import { isPlainObject } from '../../domain/text/is-object.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { isInClockRange } from '../../domain/time/clock.ts'
import { rejectUnsafeOrigin } from './reject-unsafe-origin.ts'
import {
  optionsUnderHeading,
  describe,
  list,
  invalidValue,
  number,
  pairs,
  startSandboxOnly,
  text,
  requireText,
  toggle,
  type Option,
} from './option.ts'
import { rejectCredentials } from './reject-credentials.ts'

// Each entry defines an option once for all places: the flag, the variable `PAYLINK_…`, the key in a configuration file and in
// `startSandbox`, the types, the help, the row in the guides, and the comment that editors show.

const PORT = 4400
const HOST = '127.0.0.1'
const DATABASE = '.paylink/sandbox.db'
const KEPT_EVENTS = 50_000

/** Options of every sandbox: of `start`, `exec`, the configuration file and `startSandbox`. */
export const sandboxOptions = {
  ...optionsUnderHeading('Address', {
    port: number({
      value: '<n>',
      text: 'port to listen on, or 0 for a free one',
      max: 65_535,
      expected: 'a number from 0 to 65535',
      default: PORT,
      temporaryDefault: 0,
    }),
    host: text({
      value: '<address>',
      read: readHost,
      text: 'address to listen on; if other machines can reach it, --admin-token is required',
      default: HOST,
    }),
    publicUrl: text({
      value: '<url>',
      text: 'base URL of pay links and QR codes',
      byDefault: 'the address that the request was sent to',
      read: readOrigin,
    }),
    tls: toggle({
      text: 'serve https with a self-signed certificate, which is kept beside the database',
    }),
    tlsCert: text({
      value: '<file>',
      text: 'PEM file of the certificate to serve https with; requires --tls-key',
    }),
    tlsKey: text({ value: '<file>', text: 'PEM file of the key of --tls-cert, without a password' }),
  }),
  ...optionsUnderHeading('Data', {
    db: text({
      value: '<file>',
      text: 'database file (missing folders are created), :memory:, or a PostgreSQL database like postgres://user@host/database?schema=team-a',
      default: DATABASE,
      temporaryDefault: ':memory:',
      read(file, name) {
        if (isDatabaseUrl(file)) return file
        if (/^:memory:?$/i.test(file) && file !== ':memory:') {
          throw invalidValue(name, file, 'the path of a file, or :memory:')
        }
        if (/[\\/]$/.test(file)) throw invalidValue(name, file, `a file, like ${join(file, 'sandbox.db')}`)
        // Rejects a URL, because SQLite would create folders for its parts. The error does not quote the URL, which may contain a
        // password.
        if (!/^([a-z][a-z\d+.-]+:\/\/|(file|sqlite|postgres|postgresql):)/i.test(file)) return file
        throw new UsageError(
          `${name} is a URL. It must be the path of a file, like ${DATABASE}, or begin with postgres://.`,
        )
      },
    }),
    seed: {
      ...describe(
        'text',
        {
          value: '<file>',
          text: 'JSON file with the contents of a new or reset database',
          byDefault: 'four example accounts with invoices',
        },
        undefined,
      ),
      read(seed, { name }) {
        if (typeof seed === 'string') return requireText(seed, name)
        if (isPlainObject(seed)) return seed
        throw invalidValue(name, seed, 'the name of a file, or a seed')
      },
    } as Option<SeedInput | string, SeedInput | string | undefined>,
    keep: number({
      value: '<n>',
      text: 'how many of the newest events the journal keeps; 0 keeps all',
      expected: 'a whole number, 0 for all',
      default: KEPT_EVENTS,
    }),
    clock: text({
      value: '<time>',
      text: 'set the clock to a time like 2026-12-01T00:00:00+01:00',
      byDefault: 'unchanged; a new database uses the time of the machine',
      read(time, name) {
        if (isZonedTime(time) && isInClockRange(time)) return new Date(time).toISOString()
        throw invalidValue(name, time, 'an ISO 8601 time with a time zone, like 2026-12-01T00:00:00+01:00')
      },
    }),
  }),
  ...optionsUnderHeading('The emulated service', {
    behaviors: pairs({
      flag: 'behavior',
      value: '<name>=<value>',
      text: 'choose how the sandbox behaves where the API reference is silent',
      example: "{ payId: 'distinct' }",
      read(entries, { entry }): BehaviorChoices {
        for (const [name, value] of entries) {
          if (!isBehaviorName(name)) {
            const hint = didYouMeanSentence(name, behaviorNames) || ` There are ${behaviorNames.join(', ')}.`
            throw new UsageError(`${entry(name)} is not a behavior.${hint}`)
          }
          if (!isBehaviorValue(name, value)) throw invalidValue(entry(name), value, describeOptions(name))
        }
        return Object.fromEntries(entries)
      },
    }) as Option<BehaviorChoices, BehaviorChoices>,
    calibration: text({
      value: '<file>',
      text: 'result of calibrate; answers list its confirmed points in Sandbox-Confirmed, not in Sandbox-Assumed',
    }),
    upstream: text({
      value: '<origin>',
      text: 'real service, like https://dev.pay.example; the sandbox forwards all calls to it',
      read: readUpstream,
    }),
    allowProductionKey: toggle({
      text: 'also forward calls that use a production key to --upstream, instead of refusing them',
    }),
  }),
  ...optionsUnderHeading('Webhooks and redirects', {
    maps: pairs({
      flag: 'map',
      value: '<origin>=<url>',
      text: 'send webhooks and redirects for an origin, or for https://*.domain, to another address',
      example: "{ 'https://shop.example.com': 'http://localhost:3000' }",
      read(entries, { name, entry }): readonly OriginMap[] {
        const maps = entries.map(([from, to]) => {
          const originProblem = whyInvalidMapOrigin(from)
          if (originProblem !== null) throw new UsageError(`${entry(hidePasswords(from))} ${originProblem}.`)
          const targetProblem = whyInvalidMapTarget(to)
          if (targetProblem !== null)
            throw new UsageError(`${entry(from)} is ${hidePasswords(to)}. It ${targetProblem}.`)
          return normalizeMap({ from, to })
        })
        const again = findDuplicateMap(maps)
        if (again < 0) return maps
        throw new UsageError(`${name} maps ${maps[again]!.from} twice. Leave one of them out.`)
      },
    }),
    allowedHosts: list({
      flag: 'allow-host',
      value: '<host>',
      text: 'public host that webhooks may go to, like shop.example or *.shop.example',
      read(entry, name) {
        const host = parseHostPattern(entry)
        if (host !== null) return host
        throw invalidValue(name, entry, 'a host like shop.example, or *.shop.example for all its subdomains')
      },
    }),
  }),
  ...optionsUnderHeading('Access', {
    adminToken: text({
      value: '<token>',
      text: 'token that the inspector and the control API require',
      read: readToken,
    }),
    tunnelTokens: pairs({
      flag: 'tunnel-token',
      value: '<team>=<token>',
      text: 'token for the command listen; gives access only to the tunnels <team> and <team>-…',
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
  }),
}

const commandOptions = {
  ...optionsUnderHeading('Several processes', {
    replicas: toggle({
      text: 'share the PostgreSQL database with other processes: one leads, the others forward to it',
    }),
    replicaUrl: text({
      value: '<url>',
      text: 'address where the other replicas reach this process',
      byDefault: 'the address that it listens on',
      read: readOrigin,
    }),
  }),
  ...optionsUnderHeading('Output', {
    open: toggle({ text: 'open the inspector in the default browser' }),
    json: toggle({ text: 'write JSON lines to stdout, and text for people to stderr' }),
    quiet: toggle({ text: 'print only one line with the address, when the sandbox is ready' }),
  }),
}

export const startSandboxOnlyOptions = {
  deliveryTimeoutMs: startSandboxOnly<number, number>('number', {
    text: 'how long a receiver may take to answer a webhook, in milliseconds',
    default: WEBHOOK_TIMEOUT_MS,
  }),
  upstreamTimeoutMs: startSandboxOnly<number, number>('number', {
    text: 'how long the upstream may take to answer a call, in milliseconds',
    default: UPSTREAM_TIMEOUT_MS,
  }),
  streamHeartbeatMs: startSandboxOnly<number, number>('number', {
    text: 'how often an idle stream of events sends `alive`, in milliseconds',
    default: 15_000,
  }),
  listenerHeartbeatMs: startSandboxOnly<number, number>('number', {
    text: "how often both ends of a listener's connection send a ping, in milliseconds",
    default: 5_000,
  }),
  now: startSandboxOnly<() => Date, () => Date>('function', {
    text: 'returns the time of the machine; the clock of the sandbox starts at this time',
    default: () => new Date(),
  }),
  isInContainer: startSandboxOnly<boolean>('boolean', {
    text: 'whether the sandbox runs in a container, where localhost is not the host',
    byDefault: 'detected',
  }),
  lookup: startSandboxOnly<DnsLookup>('function', {
    text: 'finds the addresses of a host name for webhooks',
    byDefault: 'the resolver of the machine',
  }),
  onDiagnostic: startSandboxOnly<
    (found: RecordedEvent<EventOf<'diagnostic.found'>>, about?: RecordedEvent) => void
  >('function', { text: 'called with each diagnostic, and with the event that it is about' }),
  onError: startSandboxOnly<(error: unknown) => void>('function', {
    text: 'called with each failure of the sandbox itself',
    byDefault: 'prints it',
  }),
}

/** Every option of `start`, in the sequence of its help. */
export const startOptions = {
  config: text({
    value: '<file>',
    text: 'configuration file',
    byDefault: 'paylink.config.ts, .js, .mjs or .json, if there is one',
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

/** The validated values of a table of options. */
export type ValuesOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<never, infer Value> ? Value : never
}

export interface SandboxConfig extends InputsOf<typeof fileOptions> {}

export interface SandboxOptions extends InputsOf<typeof startSandboxOptions> {}

/** Shorter tokens could be guessed. */
const MIN_TOKEN_LENGTH = 8

/** A host as Node writes it: `[::1]` becomes `::1`, `127.1` becomes `127.0.0.1`, and `Localhost.` becomes `localhost`. */
function readHost(host: string, name: string): string {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const [isAddress, isName] = [isIP(address) === 6, /^(?!\d+$|\.+$)[\p{L}\p{N}._-]+$/u.test(address)]
  const url = `http://${isAddress ? `[${address}]` : address}`
  if ((isAddress || isName) && URL.canParse(url)) return new URL(url).hostname.replace(/^\[|\.$|\]$/g, '')
  throw invalidValue(name, host, 'an address like 127.0.0.1 or the name of a host, without http:// and port')
}

/** Never quotes a token in its errors. */
function readToken(token: string, name: string): string {
  if (token.length < MIN_TOKEN_LENGTH) {
    throw new UsageError(`${name} is too short. It must have at least ${MIN_TOKEN_LENGTH} characters.`)
  }
  const problem = whyInvalidHeaderValue(token)
  if (problem !== undefined) throw new UsageError(`${name} ${problem}.`)
  return token
}

function readOrigin(url: string, name: string): string {
  rejectCredentials(name, url, 'the sandbox asks for no password there. Set an admin token to protect it')
  if (/^https?:\/\/[^/?#]+\/?$/.test(url) && URL.canParse(url)) return new URL(url).origin
  throw invalidValue(name, url, 'an address like https://pay.example, without a path')
}

function readUpstream(address: string, name: string): string {
  const isOrigin = /^https?:\/\/[^/?#]+\/?$/i.test(address) && URL.canParse(address)
  if (!isOrigin) throw invalidValue(name, address, 'an address like https://dev.pay.example, without a path')
  rejectUnsafeOrigin(name, address)
  return new URL(address).href.replace(/\/$/, '')
}

/** Whether a text is an ISO 8601 time with a time zone, on a day that exists. */
function isZonedTime(time: string): boolean {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(
      time,
    ) ?? []
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day!)
}
