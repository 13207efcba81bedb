import { hostOf } from './allowed-host.ts'
import { nearMap, type OriginMap } from './origin-map.ts'

/** What lets out webhooks that are held, said of where they are meant to go and where a map leads them instead. */
export function waysOut(meant: string, mappedTo: string | undefined, maps: readonly OriginMap[]): string {
  const allow = `allow the host (--allow-host ${hostOf(mappedTo ?? meant)})`
  const { origin } = new URL(meant)
  // No map is followed from where another one leads.
  if (mappedTo !== undefined) return `${allow}, or map ${origin} elsewhere`
  // It may have been meant to.
  const near = nearMap(meant, maps)
  return `${allow}, or map ${origin}${near === undefined ? '' : `: the map of ${near.from} is not for it`}`
}
