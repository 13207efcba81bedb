import { hostOf } from '../domain/allowed-host.ts'
import { nearMap, type OriginMap } from '../domain/origin-map.ts'

/** What lets a held webhook out. A map that nearly fits may have been meant to. */
export function waysOut(url: URL, maps: readonly OriginMap[]): string {
  const ways = `Release this delivery, allow the host (--allow-host ${hostOf(url.href)}), or map ${url.origin}`
  const near = nearMap(url.href, maps)
  return near === undefined ? ways : `${ways}: the map of ${near.from} is not for it`
}
