import type { EgressVerdict } from '../domain/network/egress-rules.ts'
import type { DnsLookup, HostAddress } from '../domain/network/dns.ts'
import { parseHost, METADATA_HOSTS, matchesHost } from '../domain/network/allowed-host.ts'
import { strictest, type AddressScope, scopeOf } from './address-scope.ts'
import { promisify } from 'node:util'
import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'

export interface EgressContext {
  /** Let out by the developer. */
  readonly released: boolean
  /** Forged by the sandbox: never for anybody else. */
  readonly isForged: boolean
}

export type EgressPolicy = (url: URL, context?: EgressContext) => Promise<EgressVerdict>

/**
 * Webhooks are unsigned, so a sandbox that posts a fake `Success` to a production URL left in some
 * configuration is dangerous. Only this machine and private networks are posted to; the rest is held.
 *
 * What the sandbox itself listens on is this machine, wherever the address is from.
 *
 * A name is looked up once for each post, and what it stood for then is what is posted to.
 */
export const createEgressPolicy =
  (
    allowedHosts: () => Promise<readonly string[]>,
    lookup: DnsLookup = lookupAll,
    isOwn: (url: URL) => boolean = () => false,
  ): EgressPolicy =>
  async (url, { released, isForged } = { released: false, isForged: false }) => {
    const host = parseHost(url.href) ?? ''
    const addresses = addressesWithoutLookup(host) ?? (await lookup(host).catch(() => []))
    const scopes = addresses.map(({ address }) => scopeFor(host, address))
    if (METADATA_HOSTS.has(host) || scopes.includes('never'))
      return { verdict: 'never', reason: neverReason(host) }

    const isUnresolvedContainerHost = addresses.length === 0 && CONTAINER_HOST_NAMES.has(host)
    const isLocal =
      isUnresolvedContainerHost || (addresses.length > 0 && (strictest(scopes) === 'local' || isOwn(url)))
    const isMixed = !isLocal && scopes.includes('local')
    const where = isMixed
      ? `${host} is on this machine or a private network, and elsewhere too`
      : `${host} is not on this machine or a private network`
    if (isForged && !isLocal) {
      return { verdict: 'never', reason: `${where}, nothing forged is ever sent there` }
    }
    if (isLocal || released) return { verdict: 'send', addresses }
    const isAllowed = (await allowedHosts()).some((pattern) => matchesHost(pattern, host))
    if (isAllowed) return { verdict: 'send', addresses }
    return { verdict: 'hold', reason: where }
  }

/** What container engines call the machine that they run on. */
export const CONTAINER_HOST_NAMES: ReadonlySet<string> = new Set([
  'host.docker.internal',
  'gateway.docker.internal',
  'host.containers.internal',
])

/** Podman maps the machine to this address, which is link-local. */
const PODMAN_HOST_ADDRESS = '169.254.1.2'

const scopeFor = (host: string, address: string): AddressScope =>
  address === PODMAN_HOST_ADDRESS && CONTAINER_HOST_NAMES.has(host) ? 'local' : scopeOf(address)

const lookupPromise = promisify(systemLookup)

const lookupAll: DnsLookup = (host) => lookupPromise(host, { all: true, verbatim: true })

const LOOPBACK_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
] as const

/** Why nothing is ever sent to a host. `null` where its name alone does not say. */
export function whyNeverSent(host: string): string | null {
  const isNever = addressesWithoutLookup(host)?.some(({ address }) => scopeFor(host, address) === 'never')
  return isNever || METADATA_HOSTS.has(host) ? neverReason(host) : null
}

const neverReason = (host: string): string =>
  `${host} is a link-local, cloud metadata or broadcast address, nothing is ever sent there`

/** The addresses of a host that need no lookup. */
function addressesWithoutLookup(host: string): readonly HostAddress[] | undefined {
  // What a server that listens on every address prints as its own.
  if (host === '0.0.0.0') return LOOPBACK_ADDRESSES.slice(0, 1)
  if (host === '::') return LOOPBACK_ADDRESSES.toReversed()
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  return host === 'localhost' || host.endsWith('.localhost') ? LOOPBACK_ADDRESSES : undefined
}
