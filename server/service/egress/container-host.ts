import { readFile } from 'node:fs/promises'
import type { HostAddress } from '../../domain/network/dns.ts'
import { CONTAINER_HOST_NAMES, type EgressPolicy } from './egress-policy.ts'

/** Finds the host of a container. Resolves with `undefined` if the host is unknown, or if it is not on a private network. */
export type FindContainerHost = () => Promise<HostAddress | undefined>

/** Tries the names that container engines give the host, then the default gateway of the container. */
export function createFindContainerHost(
  checkEgress: EgressPolicy,
  routes = '/proc/net/route',
): FindContainerHost {
  async function localAt(host: string): Promise<HostAddress | undefined> {
    const verdict = await checkEgress(new URL(`http://${host}/`), { isAllowedOnce: false, isForged: true })
    return verdict.verdict === 'send' ? verdict.addresses[0] : undefined
  }

  return async () => {
    for (const name of CONTAINER_HOST_NAMES) {
      const hostAddress = await localAt(name)
      if (hostAddress) return hostAddress
    }
    const gateway = parseGateway(await readFile(routes, 'utf8').catch(() => ''))
    return gateway === undefined ? undefined : localAt(gateway)
  }
}

/** Reads the gateway of the default route from `/proc/net/route`, which contains it in hexadecimal with the last byte first. */
export function parseGateway(routes: string): string | undefined {
  const lines = routes.split('\n').map((line) => line.split(/\s+/))
  const [, , gateway] = lines.find(([, to, by]) => to === '00000000' && by !== '00000000') ?? []
  if (gateway === undefined || !/^[0-9A-F]{8}$/i.test(gateway)) return undefined
  return Buffer.from(gateway, 'hex').toReversed().join('.')
}
