import { readFile } from 'node:fs/promises'
import type { HostAddress } from '../domain/network/dns.ts'
import { HOST_OF_CONTAINER, type EgressPolicy } from './egress-policy.ts'

/** Finds the machine that a container runs on. Nothing where it cannot be found, or would be somebody else. */
export type FindHost = () => Promise<HostAddress | undefined>

/** By the names that container engines give it, else by the way out of the container. */
export function createFindHost(guard: EgressPolicy, routes = '/proc/net/route'): FindHost {
  async function localAt(host: string): Promise<HostAddress | undefined> {
    const verdict = await guard(new URL(`http://${host}/`), { released: false, isForged: true })
    return verdict.verdict === 'send' ? verdict.addresses[0] : undefined
  }

  return async () => {
    for (const name of HOST_OF_CONTAINER) {
      const found = await localAt(name)
      if (found) return found
    }
    const gateway = gatewayIn(await readFile(routes, 'utf8').catch(() => ''))
    return gateway === undefined ? undefined : localAt(gateway)
  }
}

/** The gateway of the default route, as Linux lists it: hexadecimal, the last byte first. */
export function gatewayIn(routes: string): string | undefined {
  const ways = routes.split('\n').map((line) => line.split(/\s+/))
  const [, , gateway] = ways.find(([, to, by]) => to === '00000000' && by !== '00000000') ?? []
  if (gateway === undefined || !/^[0-9A-F]{8}$/i.test(gateway)) return undefined
  return Buffer.from(gateway, 'hex').toReversed().join('.')
}
