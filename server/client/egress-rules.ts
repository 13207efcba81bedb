import type { OriginMap } from '../domain/network/origin-map.ts'
import type { Request } from './request.ts'

/** A map and its state. */
export interface KeptMap extends OriginMap {
  /** `start` for a map from the options of the start, `sandbox` for one that was added later. */
  readonly source: 'start' | 'sandbox'
  /** Why webhooks to the map's target would be held. `null` if they would be sent. */
  readonly heldReason: string | null
}

/** Maps of the whole sandbox. A map sends webhooks and redirects for one origin to another. */
export interface Maps {
  list(): Promise<readonly KeptMap[]>
  /** Adds a map, or changes the target of an existing one. Returns all maps. */
  add(from: string, to: string): Promise<readonly KeptMap[]>
  /** Removes the map of an origin. Returns the maps that are left. */
  remove(from: string): Promise<readonly KeptMap[]>
  /** Replaces all maps. */
  replace(maps: readonly OriginMap[]): Promise<readonly KeptMap[]>
}

/** Hosts outside this machine and private networks that webhooks may be sent to, for the whole sandbox. */
export interface AllowedHosts {
  list(): Promise<readonly string[]>
  /** Allows a host, or all subdomains of a domain (`*.example.com`). Returns how many held webhooks are sent now. */
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
