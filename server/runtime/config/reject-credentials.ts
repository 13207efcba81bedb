import { hasCredentials, hidePasswords, splitCredentials } from '../../domain/network/credentials.ts'
import { UsageError } from '../../domain/text/usage-error.ts'

/** Rejects an address with a user name and password that would not be sent. `why` says what to do instead. */
export function rejectCredentials(name: string, address: string, why: string): void {
  if (!hasCredentials(address)) return
  throw new UsageError(
    `${name} is ${hidePasswords(address)}. Leave out the user name and password, as in ${splitCredentials(address).url.origin}: ${why}.`,
  )
}
