import { excerpt } from '../text/truncate.ts'
import { hostOf } from './allowed-host.ts'
import { normalOrigin, type OriginMap } from './origin-map.ts'
import { isHttpUrl, isTunnelPath, objectionToTunnelPath } from './urls.ts'

/** What speaks against the origin of a map. `null` for nothing. */
export function objectionToFrom(from: string): string | null {
  if (!isHttpUrl(from)) return `should be an origin like https://shop.example.com, not ${shown(from)}`
  const { origin, hostname, pathname, search, hash } = new URL(from)
  if (pathname !== '/' || search !== '' || hash !== '') {
    return `should be an origin without a path, like ${origin}: the path is kept`
  }
  return hostname.replace(/^\*\.(?=[^.])/, '').includes('*')
    ? 'may have a wildcard in place of its first label only, like https://*.example.com'
    : null
}

/** What speaks against the address that a map leads to. `null` for nothing. */
export function objectionToTo(to: string): string | null {
  const isAddress = isHttpUrl(to) && !new URL(to).hostname.includes('*')
  if (!isAddress && !isTunnelPath(to)) {
    return `should be an address like http://localhost:3000, or a path below /tunnel/, not ${shown(to)}`
  }
  const objection = objectionToTunnelPath(to)
  if (objection !== null) return `names a tunnel that cannot be: ${objection}`
  return /[?#]/.test(to) ? 'should have no query and no fragment: those of the mapped address are kept' : null
}

/** What speaks against a map as it is kept. `null` for nothing. */
export function objectionToMap(
  { from, to }: OriginMap,
  ownPath: (address: string) => string | null,
  objectionToHost: (host: string) => string | null,
): string | null {
  const advice = 'Give the origin that your configuration names'
  const host = hostOf(to)
  if (host !== null && from === normalOrigin(to)) return `${from} would be mapped onto itself. ${advice}`
  if (ownPath(from) !== null) return `${from} is this sandbox, which no map is for. ${advice}`
  const objection = host === null ? null : objectionToHost(host)
  return objection === null ? null : `${objection}. Map ${from} to the address of your app`
}

/** The first of some maps whose origin another one before it has. */
export const repeatedMap = (maps: readonly OriginMap[]): number =>
  maps.findIndex(({ from }, index) => maps.findIndex((other) => other.from === from) < index)

const shown = (text: string): string => JSON.stringify(excerpt(text, 100))
