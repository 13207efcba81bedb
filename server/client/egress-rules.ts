import type { OriginMap } from '../domain/network/origin-map.ts'
import type { Request } from './request.ts'

/** A map, whether the start of the sandbox brought it, and why webhooks would not go where it leads, if they would not. */
export interface KeptMap extends OriginMap {
  readonly source: 'start' | 'sandbox'
  readonly heldReason: string | null
}

/** What is meant for one origin goes to another. Of the whole sandbox. */
export interface Maps {
  list(): Promise<readonly KeptMap[]>
  /** Maps an origin, or has it lead elsewhere. The others stay. */
  add(from: string, to: string): Promise<readonly KeptMap[]>
  remove(from: string): Promise<readonly KeptMap[]>
  /** Puts these in place of all there are. */
  replace(maps: readonly OriginMap[]): Promise<readonly KeptMap[]>
}

/** Hosts that webhooks may go to, beyond this machine and private networks. Of the whole sandbox. */
export interface AllowedHosts {
  list(): Promise<readonly string[]>
  /** Allows a host, or `*.` and a domain. Gives how many webhooks were held for want of it and go now. */
  add(host: string): Promise<number>
  remove(host: string): Promise<void>
}

export function createMaps(request: Request): Maps {
  const change = async (method: 'PUT' | 'PATCH', body: object) =>
    (await request<{ maps: KeptMap[] }>(method, '/maps', { body })).maps

  return {
    list: async () => (await request<{ maps: KeptMap[] }>('GET', '/maps')).maps,
    add: (from, to) => change('PATCH', { add: [{ from, to }] }),
    remove: (from) => change('PATCH', { remove: [from] }),
    replace: (maps) => change('PUT', { maps }),
  }
}

export function createAllowedHosts(request: Request): AllowedHosts {
  const change = (body: object) => request<{ released: number }>('PATCH', '/allowed-hosts', { body })

  return {
    list: async () => (await request<{ allowedHosts: string[] }>('GET', '/allowed-hosts')).allowedHosts,
    add: async (host) => (await change({ add: [host] })).released,
    async remove(host) {
      await change({ remove: [host] })
    },
  }
}
