import { checkServerIdentity } from 'node:tls'
import { buildConnector } from 'undici'
import type { HostAddress } from '../../domain/network/dns.ts'
import { lookupAmong } from './lookup-among.ts'
import { createPinnedConnector } from '../../platform/tls/pinned-connector.ts'

/**
 * Creates a connector that ignores the host of the URL and connects only to `addresses`. If one address refuses the connection,
 * tries the next, because a server may listen only on IPv4 or only on IPv6. A TLS certificate must be valid for the host of the
 * URL.
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
