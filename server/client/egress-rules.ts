import type { OriginMap } from '../domain/network/origin-map.ts'
import type { Request } from './request.ts'

/** A map, and how it was set. */
export interface KeptMap extends OriginMap {
  /** `start` if an option set the map when the sandbox started, `sandbox` if it was added later. */
  readonly source: 'start' | 'sandbox'
  /** Why the sandbox would hold webhooks to the target of the map. `null` if it would send them. */
  readonly heldReason: string | null
}

/** Maps of the whole sandbox. A map sends the webhooks and redirects of one origin to a different origin. */
export interface Maps {
  list(): Promise<readonly KeptMap[]>
  /** Adds a map, or changes the target of an existing one. Returns all maps. */
  add(from: string, to: string): Promise<readonly KeptMap[]>
  /** Removes the map of an origin. Returns the remaining maps. */
  remove(from: string): Promise<readonly KeptMap[]>
  /** Replaces all maps. */
  replace(maps: readonly OriginMap[]): Promise<readonly KeptMap[]>
}

/** Public hosts that webhooks may be sent to, for the whole sandbox. This machine and private networks are always allowed. */
export interface AllowedHosts {
  list(): Promise<readonly string[]>
  /** Allows a host, or all subdomains of a domain (`*.example.com`). Returns how many held webhooks are sent as a result. */
  add(host: string): Promise<number>
  remove(host: string): Promise<void>
}

/** @internal */
export function createMaps(request: Request): Maps {
  return {
    list: async () => (await request('GET /maps')).maps,
    add: async (from, to) => (await request('PATCH /maps', { json: { add: [{ from, to }] } })).maps,
    remove: async (from) => (await request('PATCH /maps', { json: { remove: [from] } })).maps,
    replace: async (maps) => (await request('PUT /maps', { json: { maps } })).maps,
  }
}

/** @internal */
export function createAllowedHosts(request: Request): AllowedHosts {
  return {
    list: async () => (await request('GET /allowed-hosts')).allowedHosts,
    add: async (host) => (await request('PATCH /allowed-hosts', { json: { add: [host] } })).allowed,
    async remove(host) {
      await request('PATCH /allowed-hosts', { json: { remove: [host] } })
    },
  }
}
