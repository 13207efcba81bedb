import type { LookupFunction } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { buildConnector } from 'undici'
import type { HostAddress } from '../domain/network/dns.ts'
import { createPinnedConnector } from '../tls/pinned-connector.ts'

/**
 * Connects to one of these addresses, whatever the host of the URL is. Where several refuse, as a listener on
 * one of two families does, the next is tried. A certificate has to be the URL's.
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
  // An address would be connected to without any lookup.
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
