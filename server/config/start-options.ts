import { readConfigFile } from './config-file.ts'
import type { SeedInput } from '../domain/state/seed-input.ts'
import {
  isBehaviorValue,
  behaviorNames,
  isBehaviorName,
  describeOptions,
  type BehaviorChoices,
} from '../domain/behaviors/behavior.ts'
import { DATABASE, flags, readEnvironment, readFlags, type Given, type Values } from './flags.ts'
import type { OriginMap } from '../domain/network/origin-map.ts'
import {
  KEEP,
  readAdminToken,
  readClock,
  readDatabase,
  readAllowedHost,
  readKeep,
  readMaps,
  readPort,
  readPublicUrl,
  readTunnelToken,
} from './parse-values.ts'
import { refuseExposed, refuseUnasked } from './exposure.ts'
import { didYouMeanSentence, UsageError } from '../domain/text/usage-error.ts'

/** What `start` runs with: flag, else environment, else configuration file, else default. */
export interface StartOptions {
  readonly port: number
  readonly host: string
  readonly db: string
  readonly seed: SeedInput | string | undefined
  /** How many events the journal keeps, 0 for all. */
  readonly keep: number
  readonly publicUrl: string | undefined
  readonly allowHost: readonly string[]
  readonly maps: readonly OriginMap[]
  readonly behaviors: BehaviorChoices
  readonly clock: string | undefined
  readonly adminToken: string | undefined
  readonly tunnelTokens: Readonly<Record<string, string>>
  readonly tls: boolean
  readonly tlsCert: string | undefined
  readonly tlsKey: string | undefined
  readonly open: boolean
  readonly json: boolean
  readonly quiet: boolean
}

export async function readStartOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<StartOptions> {
  const direct = { ...readEnvironment(flags, environment), ...readFlags(flags, args) }
  refuseEmpty(direct)
  const values = { ...(await readConfigFile(text(direct.config), cwd)), ...direct }
  refuseEmpty(values)
  const host = text(values.host) ?? '127.0.0.1'
  const adminToken = text(values['admin-token'])
  refuseExposed(host, adminToken)
  const tunnelTokens = readEach(values['tunnel-token'], readTunnelToken)
  if (values['tunnel-token']) refuseUnasked(values['tunnel-token'].place, adminToken)
  if (values['admin-token']) readAdminToken(values['admin-token'])
  return {
    port: values.port ? readPort(values.port) : 4400,
    host,
    db: values.db ? readDatabase(values.db) : DATABASE,
    seed: values.seed?.value as SeedInput | string | undefined,
    keep: values.keep ? readKeep(values.keep) : KEEP,
    publicUrl: values['public-url'] && readPublicUrl(values['public-url']),
    allowHost: readEach(values['allow-host'], readAllowedHost),
    maps: readMaps(values.map),
    behaviors: Object.fromEntries(readEach(values.behavior, readBehavior)),
    clock: values.clock && readClock(values.clock),
    adminToken,
    tunnelTokens: Object.fromEntries(tunnelTokens),
    tls: values.tls?.value === true,
    tlsCert: text(values['tls-cert']),
    tlsKey: text(values['tls-key']),
    open: values.open?.value === true,
    json: values.json?.value === true,
    quiet: values.quiet?.value === true,
  }
}

/** An empty value is a variable that was never set, and would quietly mean something else. */
function refuseEmpty(values: Values<keyof typeof flags>): void {
  const empty = Object.values(values).find(({ value }) => value === '')
  if (empty) throw new UsageError(`${empty.place} is empty. Give it a value, or leave it out.`)
}

function readBehavior(entry: string, { how }: Given): [string, string] {
  const [name = '', value = ''] = entry.split(/=(.*)/s)
  if (!isBehaviorName(name)) {
    throw new UsageError(
      `There is no behavior ${name}.${didYouMeanSentence(name, behaviorNames)} ${how} <name>=<value>.`,
    )
  }
  if (isBehaviorValue(name, value)) return [name, value]
  const options = describeOptions(name)
  throw new UsageError(
    value === ''
      ? `Behavior ${name} has no value. ${how} ${name}=<value>, it takes ${options}.`
      : `Behavior ${name} cannot be ${value}. It takes ${options}.`,
  )
}

const text = (given: Given | undefined): string | undefined =>
  typeof given?.value === 'string' ? given.value : undefined

const readEach = <Value>(
  given: Given | undefined,
  read: (entry: string, given: Given) => Value,
): readonly Value[] =>
  given && Array.isArray(given.value) ? given.value.map((entry) => read(entry, given)) : []
