import { connectSandbox, type Sandbox } from '../client/connect-sandbox.ts'
import { SandboxError } from '../client/request.ts'
import { flags as startFlags, readEnvironment } from '../flags.ts'
import { UsageProblem } from '../usage-problem.ts'

interface Flags {
  readonly sandbox: string | undefined
  readonly 'admin-token': string | undefined
}

/** The sandbox that a command speaks to. */
export interface Address {
  readonly url: string
  readonly adminToken: string | undefined
}

const HERE = 'http://127.0.0.1:4400'

/** Where the sandbox is: flag, else environment, else where `start` would listen here. */
export async function addressOf(flags: Flags): Promise<Address> {
  const { PAYLINK_URL, PAYLINK_ADMIN_TOKEN } = process.env
  const given = flags.sandbox ?? (PAYLINK_URL || (await whereStarted()))
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
    const whence = flags.sandbox === undefined ? 'PAYLINK_URL' : '--sandbox'
    throw new UsageProblem(`${whence} is ${given}, which is no address. Give one like ${HERE}.`)
  }
  return {
    url: new URL(given).origin,
    adminToken: flags['admin-token'] ?? (PAYLINK_ADMIN_TOKEN || undefined),
  }
}

/** The same machine at the port that environment or configuration file give to `start`. */
async function whereStarted(): Promise<string> {
  const { config, port } = startFlags
  const given = readEnvironment({ config, port }, process.env)
  // Loaded only where nothing else says where the sandbox is: it runs what the file holds.
  const { readConfigFile } = await import('../config-file.ts')
  const found = given.port ?? (await readConfigFile(given.config && String(given.config.value))).port
  if (found === undefined) return HERE
  const { readPort } = await import('../read-values.ts')
  const number = readPort(found)
  if (number !== 0) return `http://127.0.0.1:${number}`
  throw new UsageProblem(
    `${found.place} is 0, a free port that only the sandbox knows. Pass --sandbox, or set PAYLINK_URL.`,
  )
}

/** Takes hold of that sandbox. */
export async function connect(flags: Flags): Promise<Sandbox> {
  const { url, adminToken } = await addressOf(flags)
  try {
    return await connectSandbox(url, { adminToken })
  } catch (error) {
    throw new UsageProblem(whyNot(url, error))
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
