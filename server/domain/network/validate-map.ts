import { parseHost } from './allowed-host.ts'
import { normalizeOrigin, type OriginMap } from './origin-map.ts'
import { isHttpUrl, isTunnelPath, whyInvalidTunnelPath } from './urls.ts'
import { hasCredentials } from './credentials.ts'

/** Why the origin of a map is invalid, or `null` if it is valid. */
export function whyInvalidMapOrigin(from: string): string | null {
  if (!isHttpUrl(from)) return 'should be an origin like https://shop.example.com'
  const { origin, hostname, pathname, search, hash } = new URL(from)
  if (hasCredentials(from)) {
    return `should be an origin without user name and password, like ${origin}: those of the mapped address are kept`
  }
  if (pathname !== '/' || search !== '' || hash !== '') {
    return `should be an origin without a path, like ${origin}: the path is kept`
  }
  return hostname.replace(/^\*\.(?=[^.])/, '').includes('*')
    ? 'can have a wildcard only as its first label, like https://*.example.com'
    : null
}

/** Why the destination of a map is invalid, or `null` if it is valid. */
export function whyInvalidMapTarget(to: string): string | null {
  const isAddress = isHttpUrl(to) && !new URL(to).hostname.includes('*')
  if (!isAddress && !isTunnelPath(to)) {
    return 'should be an address like http://localhost:3000, or a path below /tunnel/'
  }
  const problem = whyInvalidTunnelPath(to)
  if (problem !== null) return problem
  return /[?#]/.test(to) ? 'should have no query and no fragment: those of the mapped address are kept' : null
}

/** Why a stored map is invalid, or `null` if it is valid. */
export function whyInvalidMap(
  { from, to }: OriginMap,
  ownPath: (address: string) => string | null,
  whyInvalidHost: (host: string) => string | null,
): string | null {
  const advice = 'Give the origin that the configuration of your app contains'
  const host = parseHost(to)
  if (host !== null && from === normalizeOrigin(to)) return `${from} would be mapped onto itself. ${advice}`
  if (ownPath(from) !== null) return `${from} is this sandbox, which cannot be mapped. ${advice}`
  const error = host === null ? null : whyInvalidHost(host)
  return error === null ? null : `${error}. Map ${from} to the address of your app`
}

/** The first map with the same origin as an earlier map. */
export const findDuplicateMap = (maps: readonly OriginMap[]): number =>
  maps.findIndex(({ from }, index) => maps.findIndex((other) => other.from === from) < index)
