import { parseHost } from './allowed-host.ts'
import { findSimilarMap, type OriginMap } from './origin-map.ts'

/** How to release held webhooks, by their target and by the address that a map sends them to. */
export function releaseHints(
  target: string,
  mappedTo: string | undefined,
  maps: readonly OriginMap[],
): string {
  const allow = `allow the host (--allow-host ${parseHost(mappedTo ?? target)})`
  const { origin } = new URL(target)
  // The destination of a map is never mapped again.
  if (mappedTo !== undefined) return `${allow}, or map ${origin} elsewhere`
  // Names a similar map, because the user may have intended it for this target.
  const similar = findSimilarMap(target, maps)
  return `${allow}, or map ${origin}${similar === undefined ? '' : `: the map of ${similar.from} is not for it`}`
}
