import type { LookupFunction } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { buildConnector } from 'undici'
import type { HostAddress } from '../domain/network/dns.ts'
import { createPinnedConnector } from '../tls/pinned-connector.ts'

/**
 * Creates a connector that ignores the host of the URL and connects only to `addresses`. If one refuses, it tries the
 * next one, because a server may listen on IPv4 or IPv6 only. A TLS certificate must be valid for the host of the URL.
 */
export function connectTo(
  { hostname }: URL,
  addresses: readonly HostAddress[],
  timeout: number,
  certificate: string | undefined,
): buildConnector.connector {
  const name = hostname.replace(/^\[|\]$/g, '')
  const lookup = lookupAmong(addresses)
  const connect = certificate
    ? createPinnedConnector(certificate, { lookup, timeout })
    : buildConnector({
        lookup,
        timeout,
        checkServerIdentity: (_host, shown) => checkServerIdentity(name, shown),
      })
  // Passes a host name, because undici does not call `lookup` for an IP address.
  return (options, callback) => connect({ ...options, hostname: 'receiver' }, callback)
}

const lookupAmong =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (hostname, options, callback) => {
    const first = addresses[0]
    if (!first) {
      const error = new Error(`getaddrinfo ENOTFOUND ${hostname}`)
      callback(Object.assign(error, { code: 'ENOTFOUND' }), '', 0)
    } else if (options.all) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
