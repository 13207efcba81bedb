import { readFile, writeFile } from 'node:fs/promises'
import type { Account } from '../domain/accounts/account.ts'
import type { StartOptions } from '../runtime/config/read-options.ts'
import type { RunningSandbox } from '../runtime/sandbox.ts'
import type { CliIo } from './io.ts'

type ServedSandbox = Pick<RunningSandbox, 'url' | 'certificate'>

/** The variables for an app under test: the key and the id of the first account, and the second account as a recipient of shares. */
export function appEnvironment(
  { url, certificate }: ServedSandbox,
  accounts: readonly Account[],
): Readonly<Record<string, string>> {
  const [owner, recipient] = accounts.filter(({ environment }) => environment === 'development')
  return {
    PAYLINK_URL: url,
    ...(certificate?.isSelfSigned ? { NODE_EXTRA_CA_CERTS: certificate.file } : {}),
    ...(owner === undefined ? {} : { PAYLINK_API_KEY: owner.apiKey, PAYLINK_USER_ID: owner.id }),
    ...(recipient === undefined ? {} : { PAYLINK_RECIPIENT_TOKEN: recipient.recipientToken }),
  }
}

/** The environment of a command that runs with a sandbox, without variables that belong to a different sandbox. */
export async function commandEnvironment(
  sandbox: ServedSandbox,
  accounts: readonly Account[],
  { adminToken }: Pick<StartOptions, 'adminToken'>,
  { env }: CliIo,
): Promise<NodeJS.ProcessEnv> {
  const { PAYLINK_API_KEY: _key, PAYLINK_USER_ID: _id, PAYLINK_RECIPIENT_TOKEN: _token, ...rest } = env
  return {
    ...rest,
    ...appEnvironment(sandbox, accounts),
    ...withoutProxy(sandbox, env),
    ...(await trustBothCertificates(sandbox, env.NODE_EXTRA_CA_CERTS)),
    ...(adminToken !== undefined && { PAYLINK_ADMIN_TOKEN: adminToken }),
  }
}

/**
 * Adds the sandbox's host to `NO_PROXY`. Many HTTP clients use the proxy from the environment variables even for requests to this
 * machine, and a proxy on another machine cannot reach the sandbox.
 */
function withoutProxy({ url }: ServedSandbox, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!Object.keys(env).some((name) => /^(https?|all)_proxy$/i.test(name))) return {}
  const { NO_PROXY: upper = '', no_proxy: lower = '' } = env
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  // In `NO_PROXY`, an asterisk stands for all hosts only if it is the only entry.
  const listWith = (list: string): string =>
    list === '' ? host : list.trim() === '*' ? list : `${list},${host}`
  return { NO_PROXY: listWith(upper || lower), no_proxy: listWith(lower || upper) }
}

/**
 * Node reads only one file of additional certificates. If a variable already names one, a new file contains both certificates.
 */
async function trustBothCertificates(
  { certificate }: ServedSandbox,
  before = '',
): Promise<NodeJS.ProcessEnv> {
  if (!certificate?.isSelfSigned || before === '') return {}
  const both = `${certificate.file}.all`
  await writeFile(both, `${await readFile(before, 'utf8').catch(() => '')}\n${certificate.cert}`)
  return { NODE_EXTRA_CA_CERTS: both }
}
