import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { promisify } from 'node:util'
import { matchesHost } from '../domain/allowed-host.ts'

/** Whether a webhook may leave for an address, and which addresses its host stands for. */
export type Verdict =
  | { readonly verdict: 'send'; readonly addresses: readonly LookupAddress[] }
  | { readonly verdict: 'hold'; readonly reason: string }
  | { readonly verdict: 'never'; readonly reason: string }

export interface Leave {
  /** Let out by the developer. */
  readonly released: boolean
  /** Forged by the sandbox: never for anybody else. */
  readonly isForged: boolean
}

export type Guard = (url: URL, leave?: Leave) => Promise<Verdict>

/**
 * Webhooks are unsigned, so a sandbox that posts a fake `Success` to a production URL left in some
 * configuration is dangerous. Only this machine and private networks are posted to; the rest is held.
 */
export const createGuard =
  (allowedHosts: () => Promise<readonly string[]>): Guard =>
  async (url, { released, isForged } = { released: false, isForged: false }) => {
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const addresses = await addressesOf(host)
    if (METADATA_NAMES.has(host) || addresses.some(({ address }) => isMetadata(address))) {
      return {
        verdict: 'never',
        reason: `${host} is a link-local or cloud metadata address, nothing is ever sent there`,
      }
    }

    const isLocal = addresses.length > 0 && addresses.every(({ address }) => isPrivate(address))
    if (isForged && !isLocal && !LOCAL_NAMES.has(host)) {
      return {
        verdict: 'never',
        reason: `${host} is not on this machine or a private network, nothing forged is ever sent there`,
      }
    }
    if (isLocal || released || LOCAL_NAMES.has(host)) return { verdict: 'send', addresses }
    const isAllowed = (await allowedHosts()).some((pattern) => matchesHost(pattern, host))
    if (isAllowed) return { verdict: 'send', addresses }
    return {
      verdict: 'hold',
      reason: `${host} is not on this machine or a private network. Release this delivery, or start with --allow-host ${host}`,
    }
  }

const LOCAL_NAMES = new Set(['host.docker.internal'])
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog'])

const resolve = promisify(lookup)

/** Every address of a host. None where the name is unknown. */
async function addressesOf(host: string): Promise<LookupAddress[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  if (host === 'localhost' || host.endsWith('.localhost')) {
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
  }
  return resolve(host, { all: true, verbatim: true }).catch(() => [])
}

const privateNetworks = new BlockList()
privateNetworks.addSubnet('127.0.0.0', 8, 'ipv4')
privateNetworks.addSubnet('10.0.0.0', 8, 'ipv4')
privateNetworks.addSubnet('172.16.0.0', 12, 'ipv4')
privateNetworks.addSubnet('192.168.0.0', 16, 'ipv4')
privateNetworks.addAddress('0.0.0.0', 'ipv4')
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

const metadata = new BlockList()
metadata.addSubnet('169.254.0.0', 16, 'ipv4')
metadata.addAddress('100.100.100.200', 'ipv4')
metadata.addAddress('192.0.0.192', 'ipv4')
metadata.addAddress('fd00:ec2::254', 'ipv6')
metadata.addSubnet('fe80::', 10, 'ipv6')

/** Node compares an IPv4-mapped IPv6 address with the IPv4 rules by itself. */
const isPrivate = (address: string): boolean => privateNetworks.check(address, familyOf(address))
const isMetadata = (address: string): boolean => metadata.check(address, familyOf(address))

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
