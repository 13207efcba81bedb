import { readFile } from 'node:fs/promises'
import { connectSandbox, type Sandbox } from '../client/connect-sandbox.ts'
import { proxyHint } from '../client/request.ts'
import { SandboxError } from '../contract/sandbox-error.ts'
import { whyInvalidHeaderValue } from '../domain/http/header-value.ts'
import { addressExample, completeAddress } from '../domain/network/complete-address.ts'
import { reachableHost } from '../domain/network/loopback.ts'
import { namesOf, readOptions } from '../runtime/config/option-values.ts'
import { invalidValue } from '../runtime/config/option.ts'
import { startOptions } from '../runtime/config/options.ts'
import { collectValues } from '../runtime/config/collect-values.ts'
import { UsageError, type NameOption } from '../domain/text/usage-error.ts'
import { variableIn } from '../platform/system/environment.ts'
import { fileIn, type CliIo } from './io.ts'
import { rejectCredentials } from '../runtime/config/reject-credentials.ts'

interface Flags {
  readonly sandbox: string | undefined
  readonly 'admin-token': string | undefined
}

export interface Address {
  readonly url: string
  readonly adminToken: string | undefined
  /** The flag or the variable that contains the admin token, for errors. */
  readonly adminTokenName?: string | undefined
  /** If known, no other certificate is accepted. */
  readonly certificate: string | undefined
}

const { db, host, port, tls, tlsCert } = startOptions

const EXAMPLE = 'http://127.0.0.1:4400'

/** The address of the sandbox: from the flag, from the environment, or the one on this machine where `start` would listen. */
export async function findAddress(flags: Flags, io: CliIo): Promise<Address> {
  const named = flags.sandbox ?? variableIn(io.env, 'PAYLINK_URL')
  const { url, certificate } = named === undefined ? await localAddress(io) : { url: completeAddress(named) }
  const name = flags.sandbox === undefined ? 'PAYLINK_URL' : '--sandbox'
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw invalidValue(name, url, `an address like ${addressExample(url, EXAMPLE)}`)
  }
  rejectCredentials(
    name,
    url,
    'a sandbox takes an admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN',
  )
  return {
    url: new URL(url).origin,
    certificate,
    ...adminTokenOf(flags, io),
  }
}

/** The admin token from the flag, or otherwise from the environment. */
function adminTokenOf(flags: Flags, { env }: CliIo): Pick<Address, 'adminToken' | 'adminTokenName'> {
  const secret = readSecret({ '--admin-token': flags['admin-token'] }, env, ['PAYLINK_ADMIN_TOKEN'])
  return { adminToken: secret?.value, adminTokenName: secret?.name }
}

/** A token or a key, and the flag or the variable that contains it. */
export interface Secret {
  readonly value: string
  readonly name: string
}

/**
 * The secret from a flag, or from the first variable that is set. Throws a `UsageError` if an HTTP header cannot contain it.
 */
export function readSecret(
  flag: Readonly<Record<string, string | undefined>>,
  env: NodeJS.ProcessEnv,
  variables: readonly string[],
): Secret | undefined {
  const candidates = [
    ...Object.entries(flag),
    ...variables.map((name) => [name, variableIn(env, name)] as const),
  ]
  const [name, value] = candidates.find(([, one]) => one !== undefined) ?? []
  if (name === undefined || value === undefined) return undefined
  const problem = whyInvalidHeaderValue(value)
  if (problem !== undefined) throw new UsageError(`${name} ${problem}.`)
  return { name, value }
}

/** The address where `start` would listen on this machine, according to the environment and the configuration file. */
async function localAddress(
  io: CliIo,
): Promise<{ readonly url: string; readonly certificate?: string | undefined }> {
  const values = await collectValues({}, io)
  const start = readOptions({ db, host, port, tls, tlsCert }, values)
  if (start.port === 0) {
    throw new UsageError(
      `${values.port?.source.name} is 0, so only the sandbox knows its port. Pass --sandbox, or set PAYLINK_URL.`,
    )
  }
  const address = `${reachableHost(start.host)}:${start.port}`
  if (!start.tls && start.tlsCert === undefined) return { url: `http://${address}` }
  // The certificate of a sandbox on this machine is read from its file, so the user need not trust it first.
  const certificate =
    start.tlsCert === undefined
      ? await readFile(fileIn(io, `${start.db}.crt`), 'utf8').catch(() => undefined)
      : await readOwnCertificate(fileIn(io, start.tlsCert), namesOf(startOptions, values))
  return { url: `https://${address}`, certificate }
}

async function readOwnCertificate(file: string, nameOption: NameOption): Promise<string> {
  const { readCertificate } = await import('../platform/tls/load-certificate.ts')
  try {
    return (await readCertificate(file)).cert
  } catch (error) {
    throw error instanceof UsageError ? error.named(nameOption) : error
  }
}

/** Connects to the sandbox at the address that `findAddress` returns. */
export const connect = async (flags: Flags, io: CliIo): Promise<Sandbox> =>
  connectAt(await findAddress(flags, io))

/** Connects to a sandbox. Throws a `UsageError` if the sandbox does not respond or rejects the token. */
export async function connectAt(address: Address): Promise<Sandbox> {
  const { url, adminToken, certificate } = address
  try {
    return await connectSandbox(url, { adminToken, certificate })
  } catch (error) {
    throw new UsageError(await explainFailure(address, error))
  }
}

/** Connects to a sandbox. Resolves with `undefined` if the admin token is missing or wrong. */
export async function connectIfAdmitted(address: Address): Promise<Sandbox | undefined> {
  const { url, adminToken, certificate } = address
  try {
    return await connectSandbox(url, { adminToken, certificate })
  } catch (error) {
    if (isNotAdmitted(error)) return undefined
    throw new UsageError(await explainFailure(address, error))
  }
}

const isNotAdmitted = (error: unknown): boolean => error instanceof SandboxError && error.status === 401

async function explainFailure({ url, adminTokenName }: Address, error: unknown): Promise<string> {
  if (isNotAdmitted(error)) {
    return adminTokenName === undefined
      ? `The sandbox at ${url} requires its admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN.`
      : `${adminTokenName} is not the admin token of the sandbox at ${url}. Pass the token that the sandbox was started with.`
  }
  if (error instanceof SandboxError && error.status === null) {
    return `${error.message} If it runs elsewhere, pass --sandbox or set PAYLINK_URL.`
  }
  if (error instanceof SandboxError && typeof error.problem.detail === 'string') {
    return error.problem.code === 'tunnelToken'
      ? `${error.detail} Pass the admin token instead.`
      : error.message
  }
  const advice = (await proxyHint(url)) ?? 'Pass --sandbox or set PAYLINK_URL to the address of one.'
  return `The server at ${url} is not a sandbox. ${advice}`
}
