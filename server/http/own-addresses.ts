import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { isLoopback } from '../domain/network/loopback.ts'
import { reachableHost } from '../domain/network/loopback.ts'

/** The addresses that a server answers at which listens on a host: those of the machine where that is every one. */
function ownAddresses(host: string): readonly NetworkInterfaceInfo[] {
  const all = Object.values(networkInterfaces()).flatMap((some = []) => some)
  // What is of one link only has a zone, which no URL can name.
  const named = all.filter(({ address }) => !/^fe[89ab]/i.test(address))
  if (host === '::') return named
  return named.filter(({ address, family }) => (host === '0.0.0.0' ? family === 'IPv4' : address === host))
}

/** Where others reach a server that listens on a host. Nowhere where only this machine does. */
export function networkOrigins(host: string, origin: string): readonly string[] {
  if (!isEvery(host)) return isLoopback(origin) ? [] : [origin]
  return ownAddresses(host)
    .filter(({ internal }) => !internal)
    .map(({ address }) => at(address, origin))
}

/** Whether an origin is an address of this machine, at the port that is listened on. */
export function isOwnOrigin(asked: string, host: string, origin: string): boolean {
  // Asking the machine takes longer than everything else, so only where the answer may be yes.
  if (new URL(asked).port !== new URL(origin).port) return false
  return ownAddresses(host).some(({ address }) => at(address, origin) === asked)
}

function at(address: string, origin: string): string {
  const { protocol, port } = new URL(origin)
  return new URL(`${protocol}//${reachableHost(address)}${port === '' ? '' : `:${port}`}`).origin
}

const isEvery = (host: string): boolean => host === '0.0.0.0' || host === '::'
