import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { hostOf, METADATA_HOSTS, matchesHost } from '../../domain/network/allowed-host.ts'
import type { DnsLookup, HostAddress } from '../../domain/network/dns.ts'
import type { EgressVerdict } from '../../domain/network/egress-rules.ts'
import { hostScopeText } from '../../domain/network/egress-text.ts'
import { strictest, type AddressScope, scopeOf } from './address-scope.ts'

interface EgressContext {
  /** Whether the developer has allowed this delivery to this host. */
  readonly isAllowedOnce: boolean
  /** Whether the webhook is forged. It must then not leave this machine and private networks, even if its host is allowed. */
  readonly isForged: boolean
}

/** Decides whether a webhook may be sent to a URL. All code that posts on behalf of a user must call this. */
export type EgressPolicy = (url: URL, context?: EgressContext) => Promise<EgressVerdict>

/**
 * Holds every webhook to an address outside this machine and private networks, unless its host is allowed. Webhooks are not
 * signed, so a real server would believe a false `Success`. An address on which the sandbox listens (`isOwn`) counts as this
 * machine. A name is resolved once for each POST, and the POST goes only to the resolved addresses.
 */
export const createEgressPolicy =
  (
    allowedHosts: () => Promise<readonly string[]>,
    lookup: DnsLookup = lookupAll,
    isOwn: (url: URL) => boolean = () => false,
  ): EgressPolicy =>
  async (url, { isAllowedOnce, isForged } = { isAllowedOnce: false, isForged: false }) => {
    const host = hostOf(url)
    const addresses = addressesWithoutLookup(host) ?? (await lookup(host).catch(() => []))
    const scopes = addresses.map(({ address }) => scopeFor(host, address))
    if (METADATA_HOSTS.has(host) || scopes.includes('never'))
      return { verdict: 'never', reason: describeForbiddenHost(host) }

    const isUnresolvedContainerHost = addresses.length === 0 && CONTAINER_HOST_NAMES.has(host)
    const isLocal =
      isUnresolvedContainerHost || (addresses.length > 0 && (strictest(scopes) === 'local' || isOwn(url)))
    const hostScope = scopes.includes('local') ? 'mixed' : 'public'
    if (isForged && !isLocal) {
      const where = hostScopeText({ host, hostScope })
      return { verdict: 'never', reason: `${where}, and forged webhooks are never sent elsewhere` }
    }
    if (isLocal || isAllowedOnce) return { verdict: 'send', addresses }
    const isAllowed = (await allowedHosts()).some((pattern) => matchesHost(pattern, host))
    if (isAllowed) return { verdict: 'send', addresses }
    return { verdict: 'hold', host, hostScope }
  }

/** The names that container engines give to the host machine. */
export const CONTAINER_HOST_NAMES: ReadonlySet<string> = new Set([
  'host.docker.internal',
  'gateway.docker.internal',
  'host.containers.internal',
])

/** Podman's address of the host machine. It is link-local, but allowed for `CONTAINER_HOST_NAMES`. */
const PODMAN_HOST_ADDRESS = '169.254.1.2'

const scopeFor = (host: string, address: string): AddressScope =>
  address === PODMAN_HOST_ADDRESS && CONTAINER_HOST_NAMES.has(host) ? 'local' : scopeOf(address)

const lookupPromise = promisify(systemLookup)

const lookupAll: DnsLookup = (host) => lookupPromise(host, { all: true, verbatim: true })

const LOOPBACK_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
] as const

/** Why nothing is ever sent to a host. `null` if the name alone does not forbid it. */
export function whyNeverSent(host: string): string | null {
  const isNever = addressesWithoutLookup(host)?.some(({ address }) => scopeFor(host, address) === 'never')
  return isNever || METADATA_HOSTS.has(host) ? describeForbiddenHost(host) : null
}

const describeForbiddenHost = (host: string): string =>
  `${host} is a link-local, cloud metadata or broadcast address, nothing is ever sent there`

/** The addresses of a host that needs no lookup. */
function addressesWithoutLookup(host: string): readonly HostAddress[] | undefined {
  // A server that listens on all addresses often prints this address as its URL.
  if (host === '0.0.0.0') return LOOPBACK_ADDRESSES.slice(0, 1)
  if (host === '::') return LOOPBACK_ADDRESSES.toReversed()
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  return host === 'localhost' || host.endsWith('.localhost') ? LOOPBACK_ADDRESSES : undefined
}
