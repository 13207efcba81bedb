import { readFile } from 'node:fs/promises'
import { connectSandbox, type Sandbox } from '../client/connect-sandbox.ts'
import { proxyHint, SandboxError } from '../client/request.ts'
import { reachableHost } from '../domain/network/loopback.ts'
import { readOptions } from '../runtime/config/option-values.ts'
import { notValid } from '../runtime/config/option.ts'
import { startOptions } from '../runtime/config/options.ts'
import { collectValues } from '../runtime/config/collect-values.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { fileIn, type CliIo } from './io.ts'
import { rejectCredentials } from '../runtime/config/reject-credentials.ts'

interface Flags {
  readonly sandbox: string | undefined
  readonly 'admin-token': string | undefined
}

/** The address of the sandbox that a command uses. */
export interface Address {
  readonly url: string
  readonly adminToken: string | undefined
  /** The only certificate to accept, if it is known. */
  readonly certificate?: string | undefined
}

const { db, host, port, tls, tlsCert } = startOptions

const EXAMPLE = 'http://127.0.0.1:4400'

/** The address of the sandbox: flag, else environment, else where `start` would listen on this machine. */
export async function addressOf(flags: Flags, io: CliIo): Promise<Address> {
  const { PAYLINK_URL, PAYLINK_ADMIN_TOKEN } = io.env
  const named = flags.sandbox ?? (PAYLINK_URL || undefined)
  const { url, certificate } = named === undefined ? await localAddress(io) : { url: named }
  const name = flags.sandbox === undefined ? 'PAYLINK_URL' : '--sandbox'
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw notValid(name, url, `an address like ${EXAMPLE}`)
  }
  rejectCredentials(
    name,
    url,
    'a sandbox takes an admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN',
  )
  return {
    url: new URL(url).origin,
    adminToken: flags['admin-token'] ?? (PAYLINK_ADMIN_TOKEN || undefined),
    certificate,
  }
}

/** The address at which `start` would listen here, by environment and configuration file. */
async function localAddress(
  io: CliIo,
): Promise<{ readonly url: string; readonly certificate?: string | undefined }> {
  const values = await collectValues({}, io)
  const start = readOptions({ db, host, port, tls, tlsCert }, values)
  if (start.port === 0) {
    throw new UsageError(
      `${values.port?.source.name} is 0, a free port that only the sandbox knows. Pass --sandbox, or set PAYLINK_URL.`,
    )
  }
  const address = `${reachableHost(start.host)}:${start.port}`
  if (!start.tls && start.tlsCert === undefined) return { url: `http://${address}` }
  // The certificate of a sandbox on this machine can be read from its file, so it need not be trusted.
  const file = start.tlsCert ?? `${start.db}.crt`
  const certificate = await readFile(fileIn(io, file), 'utf8').catch(() => undefined)
  return { url: `https://${address}`, certificate }
}

/** Connects to the sandbox at the address that `addressOf` returns. */
export const connect = async (flags: Flags, io: CliIo): Promise<Sandbox> =>
  connectAt(await addressOf(flags, io))

/** Connects to a sandbox. Throws a `UsageError` if it does not answer or does not admit the caller. */
export async function connectAt({ url, ...options }: Address): Promise<Sandbox> {
  try {
    return await connectSandbox(url, options)
  } catch (error) {
    throw new UsageError(await explainFailure(url, error))
  }
}

/** Connects to a sandbox. Resolves with `undefined` if the admin token is missing or wrong. */
export async function connectIfAdmitted({ url, ...options }: Address): Promise<Sandbox | undefined> {
  try {
    return await connectSandbox(url, options)
  } catch (error) {
    if (isNotAdmitted(error)) return undefined
    throw new UsageError(await explainFailure(url, error))
  }
}

const isNotAdmitted = (error: unknown): boolean => error instanceof SandboxError && error.status === 401

async function explainFailure(url: string, error: unknown): Promise<string> {
  if (isNotAdmitted(error)) {
    return `The sandbox at ${url} requires its admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN.`
  }
  if (error instanceof SandboxError && error.status === null) {
    return `${error.message} If it runs elsewhere, pass --sandbox or set PAYLINK_URL.`
  }
  if (error instanceof SandboxError && typeof error.problem.detail === 'string') {
    const { detail } = error.problem
    // The token of a team, which opens tunnels only.
    return detail.startsWith('This token ') ? `${detail} Pass the admin token instead.` : error.message
  }
  const advice = (await proxyHint(url)) ?? 'Pass --sandbox or set PAYLINK_URL to the address of one.'
  return `The server at ${url} is not a sandbox. ${advice}`
}
