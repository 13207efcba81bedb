import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { isLoopback, isWildcardHost, reachableHost } from '../../domain/network/loopback.ts'

/** The addresses of this machine that reach a server listening on `host`. */
function addressesOf(host: string): readonly NetworkInterfaceInfo[] {
  const addresses = Object.values(networkInterfaces()).flatMap((some = []) => some)
  // Leaves out link-local addresses, which need a zone that a URL cannot contain.
  const routable = addresses.filter(({ address }) => !/^fe[89ab]/i.test(address))
  if (host === '::') return routable
  return routable.filter(({ address, family }) => (host === '0.0.0.0' ? family === 'IPv4' : address === host))
}

/** The origins at which other machines reach a server. Empty if it listens only on loopback. */
export function networkOrigins(host: string, origin: string): readonly string[] {
  if (!isWildcardHost(host)) return isLoopback(origin) ? [] : [origin]
  return addressesOf(host)
    .filter(({ internal }) => !internal)
    .map(({ address }) => originAt(address, origin))
}

/** Whether `candidate` is an address of this machine with the same port as the server at `own`. */
export function isOwnOrigin(candidate: URL, host: string, server: URL): boolean {
  // The port is compared first, because listing the network interfaces is slow.
  if (candidate.port !== server.port) return false
  return addressesOf(host).some(({ address }) => originAt(address, server.origin) === candidate.origin)
}

function originAt(address: string, origin: string): string {
  const { protocol, port } = new URL(origin)
  return new URL(`${protocol}//${reachableHost(address)}${port === '' ? '' : `:${port}`}`).origin
}
