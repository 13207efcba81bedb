import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { allows, behaviorNames, isBehaviorName, optionTexts } from './domain/behavior.ts'
import { isInReach } from './domain/clock.ts'
import { nearest } from './domain/nearest.ts'
import type { Choices } from './store/behaviors.ts'

/** Something is wrong with how the sandbox was started. The message says what and what to do. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem'
}

/** What `start` runs with: flag, else environment, else configuration file, else default. */
export interface StartOptions {
  readonly port: number
  readonly host: string
  readonly db: string
  readonly publicUrl: string | undefined
  readonly allowHost: readonly string[]
  readonly behaviors: Choices
  readonly clock: string | undefined
  readonly adminToken: string | undefined
  readonly json: boolean
  readonly quiet: boolean
}

export interface Flag {
  readonly kind: 'text' | 'list' | 'switch'
  readonly value?: string
  readonly text: string
}

/** Every flag of `start`, with the environment variable `PAYLINK_<NAME>` beside it. */
export const flags = {
  port: { kind: 'text', value: '<n>', text: 'port to listen on, 0 for a free one (4400)' },
  host: {
    kind: 'text',
    value: '<address>',
    text: 'address to listen on (127.0.0.1); beyond loopback it takes --admin-token',
  },
  db: { kind: 'text', value: '<file>', text: 'database file, or :memory: (.paylink/sandbox.db)' },
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
  json: { kind: 'switch', text: 'write JSON lines to stdout, text for people to stderr' },
  quiet: { kind: 'switch', text: 'print nothing but the ready line' },
} as const satisfies Record<string, Flag>

type FlagName = keyof typeof flags
type Values = Partial<Record<FlagName, string | string[] | boolean>>

export const CONFIG_FILE = 'paylink.config.json'

export function readStartOptions(args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions {
  const values = withoutEmpty({ ...readConfig(), ...readEnvironment(environment), ...readFlags(args) })
  const host = text(values.host) ?? '127.0.0.1'
  const adminToken = text(values['admin-token'])
  refuseExposed(host, adminToken)
  return {
    port: readPort(text(values.port) ?? '4400'),
    host,
    db: text(values.db) ?? '.paylink/sandbox.db',
    publicUrl: readPublicUrl(text(values['public-url'])),
    allowHost: list(values['allow-host']).map(readHostPattern),
    behaviors: readBehaviors(list(values.behavior)),
    clock: readClock(text(values.clock)),
    adminToken,
    json: values.json === true,
    quiet: values.quiet === true,
  }
}

/** Beyond loopback the sandbox asks for a token, or everybody on the network could steer it. */
export function refuseExposed(host: string, adminToken: string | undefined): void {
  if (isLoopback(host) || (adminToken !== undefined && adminToken !== '')) return
  throw new UsageProblem(
    `Listening on ${host} lets others on the network in. Pass --admin-token with a secret of your own, or leave out --host.`,
  )
}

/** An empty value is a variable that was never set, and would quietly mean something else. */
function withoutEmpty(values: Values): Values {
  const empty = Object.keys(values).find((name) => values[name as FlagName] === '')
  if (empty !== undefined) throw new UsageProblem(`--${empty} is empty. Give it a value, or leave it out.`)
  return values
}

function readFlags(args: readonly string[]): Values {
  const options = Object.fromEntries(
    Object.entries<Flag>(flags).map(([name, { kind }]) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const), multiple: kind === 'list' },
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values as Values
  } catch (error) {
    throw new UsageProblem(explainFlag(error))
  }
}

function explainFlag(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const unknown = /Unknown option '(--?[^']+)'/.exec(message)?.[1]
  if (unknown !== undefined) {
    const names = Object.keys(flags).map((name) => `--${name}`)
    return `Unknown flag ${unknown}.${hint(unknown, names)} --help lists them.`
  }
  const stray = /Unexpected argument '([^']+)'/.exec(message)?.[1]
  if (stray !== undefined) return `Unexpected argument ${stray}. Flags begin with --, --help lists them.`
  return `${message.split('\n')[0]!.replace(/\.$/, '')}. --help lists the flags.`
}

/** The hint after an unknown name. */
export const hint = (name: string, names: readonly string[]): string => {
  const match = nearest(name, names)
  return match === undefined ? '' : ` Did you mean ${match}?`
}

function readEnvironment(environment: NodeJS.ProcessEnv): Values {
  const found: Values = {}
  for (const [name, { kind }] of Object.entries<Flag>(flags)) {
    const variable = `PAYLINK_${name.toUpperCase().replaceAll('-', '_')}`
    const value = environment[variable]
    if (value === undefined || value === '') continue
    if (kind === 'text') found[name as FlagName] = value
    else if (kind === 'list') found[name as FlagName] = value.split(',').map((entry) => entry.trim())
    else found[name as FlagName] = readSwitch(variable, value)
  }
  return found
}

function readSwitch(variable: string, value: string): boolean {
  if (['1', 'true', 'yes'].includes(value)) return true
  if (['0', 'false', 'no'].includes(value)) return false
  throw new UsageProblem(`${variable} is ${value}. Set it to true or false.`)
}

const Config = z.strictObject({
  port: z.union([z.string(), z.number()]).transform(String).optional(),
  host: z.string().optional(),
  db: z.string().optional(),
  publicUrl: z.string().optional(),
  allowHost: z.array(z.string()).optional(),
  behaviors: z.record(z.string(), z.string()).optional(),
  clock: z.string().optional(),
  adminToken: z.string().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
})

function readConfig(): Values {
  let file: unknown
  try {
    file = JSON.parse(readFileSync(CONFIG_FILE, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new UsageProblem(
      `${CONFIG_FILE} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const parsed = Config.safeParse(file)
  if (!parsed.success) throw new UsageProblem(explainConfig(parsed.error.issues[0]!))

  const { publicUrl, allowHost, behaviors, adminToken, ...same } = parsed.data
  return defined({
    ...same,
    'public-url': publicUrl,
    'allow-host': allowHost,
    behavior: behaviors && Object.entries(behaviors).map(([name, value]) => `${name}=${value}`),
    'admin-token': adminToken,
  })
}

function explainConfig(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') {
    return `${CONFIG_FILE}: ${issue.path.join('.') || 'the file'}: ${issue.message}`
  }
  const key = issue.keys[0]!
  return `${CONFIG_FILE} has an unknown key ${key}.${hint(key, Object.keys(Config.shape))}`
}

function readBehaviors(entries: readonly string[]): Choices {
  const choices: Choices = {}
  for (const entry of entries) {
    const [name = '', value = ''] = entry.split(/=(.*)/s)
    if (!isBehaviorName(name)) {
      throw new UsageProblem(
        `There is no behavior ${name}.${hint(name, behaviorNames)} Write --behavior <name>=<value>.`,
      )
    }
    if (!allows(name, value)) {
      const options = optionTexts(name).join(' or ')
      throw new UsageProblem(
        value === ''
          ? `Behavior ${name} has no value. Write --behavior ${name}=<value>, it takes ${options}.`
          : `Behavior ${name} cannot be ${value}. It takes ${options}.`,
      )
    }
    choices[name] = value
  }
  return choices
}

function readPort(value: string): number {
  const port = Number(value)
  if (!/^\d+$/.test(value) || port > 65_535) {
    throw new UsageProblem(`Port ${value} is not one. Pass --port with a number from 0 to 65535.`)
  }
  return port
}

function readClock(value: string | undefined): string | undefined {
  const parsed = z.iso.datetime({ offset: true }).optional().safeParse(value)
  if (!parsed.success || (value !== undefined && !isInReach(value))) {
    throw new UsageProblem(
      `Clock ${value} is no time. Pass --clock with an ISO 8601 time and its zone, like 2026-12-01T00:00:00+01:00.`,
    )
  }
  return value === undefined ? undefined : new Date(value).toISOString()
}

const HOST_PATTERN = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/

function readHostPattern(value: string): string {
  const pattern = value.toLowerCase()
  if (HOST_PATTERN.test(pattern)) return pattern
  throw new UsageProblem(
    `Host ${value} is not one. Pass --allow-host with a name like shop.example, or *.shop.example for those below it.`,
  )
}

function readPublicUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (!/^https?:\/\/[^/?#]+\/?$/.test(value) || !URL.canParse(value)) {
    throw new UsageProblem(
      `Public URL ${value} is not one. Pass --public-url with an address like https://pay.example.`,
    )
  }
  return new URL(value).origin
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const text = (value: Values[FlagName]): string | undefined => (typeof value === 'string' ? value : undefined)

const list = (value: Values[FlagName]): readonly string[] => (Array.isArray(value) ? value : [])

const defined = (values: Record<string, Values[FlagName]>): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
