import { isIP } from 'node:net'
import { whyNeverSent } from '../../service/egress/egress-policy.ts'
import type { OriginMap } from '../../domain/network/origin-map.ts'
import { namesProduction } from '../../domain/network/production.ts'
import { isDatabaseUrl } from '../../platform/system/database-name.ts'
import type { ResolveOwnPath } from '../../domain/network/urls.ts'
import { whyInvalidMap } from '../../domain/network/validate-map.ts'
import { isPlainObject } from '../../domain/text/is-object.ts'
import { UsageError, type NameOption } from '../../domain/text/usage-error.ts'
import { collectValues, type ProcessEnvironment } from './collect-values.ts'
import type { FlagValues } from './flags.ts'
import { invalidValue } from './option.ts'
import { namesOf, readOptions, valuesOfObject } from './option-values.ts'
import {
  fileOptions,
  type sandboxOptions,
  startOptions,
  startSandboxOptions,
  type SandboxOptions,
  type ValuesOf,
} from './options.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'

/** The settings of a sandbox: the validated value of every option, or its default. */
export interface SandboxSettings extends ValuesOf<typeof startSandboxOptions> {}

/** The settings of `start` and `exec`. */
export interface StartOptions extends ValuesOf<typeof fileOptions> {
  /** Names an option in errors, after the place where the user has set it. */
  readonly nameOption: NameOption
  /** Whether the user has set an option, even to its default. */
  readonly isSet: (key: keyof typeof startOptions) => boolean
}

/** Reads the options of `startSandbox`. */
export function readSandboxOptions(options: SandboxOptions): SandboxSettings {
  if (!isPlainObject(options)) {
    throw invalidValue('The argument of startSandbox', options, 'an object with options, like { port: 4401 }')
  }
  const values = valuesOfObject(startSandboxOptions, { ...options }, 'startSandbox', '')
  const settings = readOptions(startSandboxOptions, values, true)
  checkTogether(settings)
  return settings
}

/**
 * Reads the options of `start` or `exec`. The sandbox of `exec` is temporary: only flags set its port and database, and it has
 * no replicas.
 */
export async function readStartOptions(
  flags: FlagValues,
  environment: ProcessEnvironment,
  isTemporary = false,
): Promise<StartOptions> {
  const values = await collectValues(
    flags,
    environment,
    isTemporary ? ['port', 'db', 'replicas', 'replicaUrl'] : [],
  )
  const options = readOptions(fileOptions, values, isTemporary)
  const nameOption = namesOf(startOptions, values)
  try {
    checkTogether(options)
    checkReplicas(options)
  } catch (error) {
    throw error instanceof UsageError ? error.named(nameOption) : error
  }
  return { ...options, nameOption, isSet: (key) => values[key] !== undefined }
}

/** Rejects values that contradict each other, and values that have no effect. */
function checkTogether({
  host,
  adminToken,
  tunnelTokens,
  allowedHosts,
  upstream,
  allowProductionKey,
}: ValuesOf<
  Pick<
    typeof sandboxOptions,
    'host' | 'adminToken' | 'tunnelTokens' | 'allowedHosts' | 'upstream' | 'allowProductionKey'
  >
>): void {
  if (adminToken === undefined && !isLoopbackAddress(host)) {
    // Without a token, anyone in the network could control the sandbox.
    throw new UsageError(
      (option) =>
        `Listening on ${host} lets other machines reach the sandbox. Set ${option('adminToken')} to a secret, or leave out ${option('host')}.`,
    )
  }
  if (adminToken === undefined && Object.keys(tunnelTokens).length > 0) {
    throw new UsageError(
      (option) =>
        `${option('tunnelTokens')} has no effect without an admin token, because then everyone may listen. Also set ${option('adminToken')} to a secret.`,
    )
  }
  if (allowProductionKey && upstream === undefined) {
    throw new UsageError(
      (option) =>
        `${option('allowProductionKey')} has no effect without an upstream. Also set ${option('upstream')}, or leave it out.`,
    )
  }
  if (upstream !== undefined && !allowProductionKey && namesProduction(new URL(upstream).hostname)) {
    throw new UsageError(
      (option) =>
        `${option('upstream')} is ${hidePasswords(upstream)}, which looks like production. Give the address of the development environment, or set ${option('allowProductionKey')}.`,
    )
  }
  for (const allowed of allowedHosts) {
    const reason = whyNeverSent(allowed)
    if (reason === null) continue
    throw new UsageError(
      (option) => `${option('allowedHosts')} cannot be ${allowed}: ${reason}. Leave it out.`,
    )
  }
}

/** Rejects options that cannot be used by several processes. */
function checkReplicas({ db, tls, replicas, replicaUrl }: ValuesOf<typeof fileOptions>): void {
  if (!replicas && replicaUrl !== undefined) {
    throw new UsageError(
      (option) =>
        `${option('replicaUrl')} has no effect without ${option('replicas')}. Also set ${option('replicas')}, or leave out ${option('replicaUrl')}.`,
    )
  }
  if (replicas && !isDatabaseUrl(db)) {
    throw new UsageError(
      (option) =>
        `${option('replicas')} requires a database on PostgreSQL. Set ${option('db')} to one, like postgres://user@host/database, or leave it out.`,
    )
  }
  if (replicas && tls) {
    throw new UsageError(
      (option) =>
        `${option('replicas')} cannot use a self-signed certificate, because each process would have its own. Replace ${option('tls')} with ${option('tlsCert')} and ${option('tlsKey')}.`,
    )
  }
}

/** Rejects maps that have no effect. */
export function checkMaps(maps: readonly OriginMap[], ownPath: ResolveOwnPath): void {
  for (const map of maps) {
    const problem = whyInvalidMap(map, ownPath, whyNeverSent)
    if (problem === null) continue
    throw new UsageError((option) => `${option('maps')} cannot be ${map.from}=${map.to}: ${problem}.`)
  }
}

/** Rejects an upstream that is this sandbox, because every call would call itself. */
export function checkUpstream(upstream: string | undefined, ownPath: ResolveOwnPath): void {
  if (upstream === undefined || ownPath(upstream) === null) return
  throw new UsageError(
    (option) =>
      `${option('upstream')} cannot be ${hidePasswords(upstream)}: this sandbox listens there. Give the address of the real service.`,
  )
}

/** Whether a server that listens on this address can be reached from this machine only. */
export const isLoopbackAddress = (host: string): boolean =>
  /^(.+\.)?localhost$/.test(host) ||
  host === '::1' ||
  /^::ffff:7f[\da-f]{2}:/.test(host) ||
  (isIP(host) === 4 && host.startsWith('127.'))
