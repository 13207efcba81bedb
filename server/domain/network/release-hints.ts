import { parseHost } from './allowed-host.ts'
import { findSimilarMap, type OriginMap } from './origin-map.ts'

/** What lets out webhooks that are held, said of where they are meant to go and where a map leads them instead. */
export function releaseHints(
  target: string,
  mappedTo: string | undefined,
  maps: readonly OriginMap[],
): string {
  const allow = `allow the host (--allow-host ${parseHost(mappedTo ?? target)})`
  const { origin } = new URL(target)
  // No map is followed from where another one leads.
  if (mappedTo !== undefined) return `${allow}, or map ${origin} elsewhere`
  // It may have been meant to.
  const similar = findSimilarMap(target, maps)
  return `${allow}, or map ${origin}${similar === undefined ? '' : `: the map of ${similar.from} is not for it`}`
}
