import { readFile } from 'node:fs/promises'
import { connectSandbox, type Sandbox } from '../client/connect-sandbox.ts'
import { SandboxError } from '../client/request.ts'
import { reachableHost } from '../domain/network/loopback.ts'
import { DATABASE, flags as startFlags, readEnvironment, type Values } from '../config/flags.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { fileIn, type CliIo } from './io.ts'

interface Flags {
  readonly sandbox: string | undefined
  readonly 'admin-token': string | undefined
}

/** The sandbox that a command speaks to. */
export interface Address {
  readonly url: string
  readonly adminToken: string | undefined
  /** The one certificate to accept, where that is known. */
  readonly certificate?: string | undefined
}

/** What says where `start` would listen, and how. */
const HERE_BY = {
  config: startFlags.config,
  db: startFlags.db,
  host: startFlags.host,
  port: startFlags.port,
  tls: startFlags.tls,
  'tls-cert': startFlags['tls-cert'],
}

const HERE = 'http://127.0.0.1:4400'

/** Where the sandbox is: flag, else environment, else where `start` would listen here. */
export async function addressOf(flags: Flags, io: CliIo): Promise<Address> {
  const { PAYLINK_URL, PAYLINK_ADMIN_TOKEN } = io.env
  const named = flags.sandbox ?? (PAYLINK_URL || undefined)
  const { url: given, certificate } = named === undefined ? await whereStarted(io) : { url: named }
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
    const whence = flags.sandbox === undefined ? 'PAYLINK_URL' : '--sandbox'
    throw new UsageError(`${whence} is ${given}, which is no address. Give one like ${HERE}.`)
  }
  return {
    url: new URL(given).origin,
    adminToken: flags['admin-token'] ?? (PAYLINK_ADMIN_TOKEN || undefined),
    certificate,
  }
}

/** The same machine, at the address that environment or configuration file give to `start`. */
async function whereStarted(
  io: CliIo,
): Promise<{ readonly url: string; readonly certificate?: string | undefined }> {
  const given = readEnvironment(HERE_BY, io.env)
  // Loaded only where nothing else says where the sandbox is: it runs what the file holds.
  const { readConfigFile } = await import('../config/config-file.ts')
  const found = { ...(await readConfigFile(given.config && String(given.config.value), io.cwd)), ...given }
  const { readPort } = await import('../config/parse-values.ts')
  const number = found.port === undefined ? 4400 : readPort(found.port)
  const at = `${reachableHost(String(found.host?.value ?? '127.0.0.1'))}:${number}`
  if (number !== 0 && !found.tls?.value && !found['tls-cert']) return { url: `http://${at}` }
  if (number !== 0) return { url: `https://${at}`, certificate: await certificateHere(found, io) }
  throw new UsageError(
    `${found.port?.place} is 0, a free port that only the sandbox knows. Pass --sandbox, or set PAYLINK_URL.`,
  )
}

/** Of this machine's own sandbox the certificate is known without trusting anybody. */
async function certificateHere({ db, 'tls-cert': given }: Values<keyof typeof HERE_BY>, io: CliIo) {
  const file = given ? String(given.value) : `${String(db?.value ?? DATABASE)}.crt`
  return readFile(fileIn(io, file), 'utf8').catch(() => undefined)
}

/** Takes hold of that sandbox. */
export async function connect(flags: Flags, io: CliIo): Promise<Sandbox> {
  const { url, ...options } = await addressOf(flags, io)
  try {
    return await connectSandbox(url, options)
  } catch (error) {
    throw new UsageError(whyNot(url, error))
  }
}

function whyNot(url: string, error: unknown): string {
  if (error instanceof SandboxError && error.status === 401) {
    return `The sandbox at ${url} asks for its admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN.`
  }
  if (error instanceof SandboxError && error.status === null) {
    return `${error.message} Pass --sandbox, or set PAYLINK_URL, where it runs elsewhere.`
  }
  if (error instanceof SandboxError && error.problem.detail !== undefined) return error.message
  return `What answers at ${url} is no sandbox. Pass --sandbox, or set PAYLINK_URL, with the address of one.`
}
