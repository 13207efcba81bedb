import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { hidePasswords } from '../../domain/network/credentials.ts'
import { isLoopback } from '../../domain/network/loopback.ts'
import { portOf } from '../../domain/network/port-of.ts'

type Environment = Readonly<Record<string, string | undefined>>

const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6')

/** The variable of the environment that makes Node use a proxy for a URL, and the address of that proxy. */
export interface EnvironmentProxy {
  readonly variable: string
  readonly address: string
}

/**
 * The proxy that Node would use for a URL. By default Node ignores these variables: `NODE_USE_ENV_PROXY` or
 * `--use-env-proxy` turns them on.
 */
export function proxyOf(
  url: URL,
  env: Environment = process.env,
  execArgv: readonly string[] = process.execArgv,
): EnvironmentProxy | undefined {
  const isOn =
    env.NODE_USE_ENV_PROXY === '1' ||
    [...execArgv, ...(env.NODE_OPTIONS ?? '').split(/\s+/)].includes('--use-env-proxy')
  if (!isOn || isExempt(url, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined
  const names = url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  const variable = names.find((name) => env[name])
  return variable === undefined ? undefined : { variable, address: hidePasswords(env[variable]!) }
}

/** Whether `NO_PROXY` names the host of a URL: `*`, or hosts like `shop.example`, `.shop.example` and `shop.example:8080`. */
function isExempt(url: URL, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    const [, host = '', port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (entry === '*') return true
    if (host === '' || (port !== undefined && Number(port) !== portOf(url))) return false
    const { hostname } = url
    return hostname === host || hostname === `[${host}]` || hostname.endsWith(`.${host}`)
  })
}

/** The proxy that a request to a URL goes through. */
export const usedProxy = async (url: URL): Promise<EnvironmentProxy | undefined> =>
  (await isDirect(url)) ? undefined : proxyOf(url)

/**
 * Whether a URL must be called directly although a proxy is set: it is on this machine or a private network, which a
 * proxy elsewhere cannot reach. Resolves a name only if a proxy would be used.
 */
export async function isDirect(url: URL): Promise<boolean> {
  if (isLoopback(url.href)) return true
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPrivateAddress(host)
  if (proxyOf(url) === undefined) return false
  const addresses = await lookup(host, { all: true }).catch(() => [])
  return addresses.length > 0 && addresses.every(({ address }) => isPrivateAddress(address))
}

const isPrivateAddress = (address: string): boolean =>
  privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
