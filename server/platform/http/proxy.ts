import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { hidePasswords } from '../../domain/network/credentials.ts'
import { isLoopback } from '../../domain/network/loopback.ts'
import { portOf } from '../../domain/network/urls.ts'

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

/** The proxy for a URL, and the environment variable that contains it. */
interface EnvironmentProxy {
  readonly variable: string
  readonly address: string
}

/**
 * The proxy that Node would use for a URL. Node ignores the variables unless `NODE_USE_ENV_PROXY` or `--use-env-proxy` is set.
 */
export function proxyOf(
  url: URL,
  env: Environment = process.env,
  execArgv: readonly string[] = process.execArgv,
): EnvironmentProxy | undefined {
  const isOn =
    env.NODE_USE_ENV_PROXY === '1' ||
    [...execArgv, ...(env.NODE_OPTIONS ?? '').split(/\s+/)].includes('--use-env-proxy')
  if (!isOn || isExempt(url, env.no_proxy || env.NO_PROXY || '')) return undefined
  const names = url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  const variable = names.find((name) => env[name])
  return variable === undefined ? undefined : { variable, address: hidePasswords(env[variable]!) }
}

/**
 * Whether `NO_PROXY` exempts a URL, by Node's rules. `*` exempts all hosts, `shop.example` and `shop.example:8080` only this
 * host, `.shop.example` also its subdomains, `*.shop.example` only its subdomains, and `203.0.113.1-203.0.113.9` a range of
 * addresses.
 */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return list.split(',').some((text) => {
    const entry = text.trim().toLowerCase()
    if (['*', host, `${host}:${portOf(url)}`].includes(entry)) return true
    if (entry.startsWith('.')) return host === entry.slice(1) || host.endsWith(entry)
    if (entry.startsWith('*.')) return host.endsWith(entry.slice(1))
    const range = [...entry.split('-'), host]
    if (range.length !== 3 || !range.every((address) => isIP(address) === 4)) return false
    const [from, to, own] = range.map(numberOf) as [number, number, number]
    return from <= own && own <= to
  })
}

/** An IPv4 address as a number. */
const numberOf = (address: string): number =>
  address.split('.').reduce((number, part) => number * 256 + Number(part), 0)

/** The proxy that requests to a URL go through. */
export const usedProxy = async (url: URL): Promise<EnvironmentProxy | undefined> =>
  (await isDirect(url)) ? undefined : proxyOf(url)

/**
 * Whether requests to a URL must not use a proxy, because the URL is on this machine or a private network, which a proxy on
 * another machine cannot reach. Resolves a host name only if a proxy is set.
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
