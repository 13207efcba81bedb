import type { LookupFunction } from 'node:net'
import type { HostAddress } from '../../domain/network/dns.ts'

/** A DNS lookup that returns `addresses` for every host. */
export const lookupAmong =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (hostname, options, callback) => {
    const first = addresses[0]
    if (!first) {
      const error = new Error(`getaddrinfo ENOTFOUND ${hostname}`)
      callback(Object.assign(error, { code: 'ENOTFOUND' }), '', 0)
    } else if (options.all) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
