import { isLoopback } from '../../domain/network/loopback.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { whyNeverSent } from '../../service/egress/egress-policy.ts'
import { invalidValue } from './option.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'

/**
 * Rejects an address that must not receive an API key. Over plain http, others in the network could read the key, so without TLS,
 * only this machine is allowed. `name` is the option that contains the address.
 */
export function rejectUnsafeOrigin(name: string, address: string): void {
  const { protocol, hostname } = new URL(address)
  const reason = whyNeverSent(hostname)
  if (reason !== null) throw new UsageError(`${name} cannot be ${hidePasswords(address)}: ${reason}.`)
  if (protocol === 'https:' || isLoopback(address)) return
  throw invalidValue(name, address, 'an https address. Plain http would show your API key to the network')
}
