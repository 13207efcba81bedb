/** What is meant for an origin, or for every one below a domain (`https://*.example.com`), goes to another address. */
export interface OriginMap {
  readonly from: string
  /** An origin, which may have a path that is put before, or a path on the sandbox itself. */
  readonly to: string
}

/** Where a map leads an address. */
export interface MappedAddress {
  readonly to: string
  readonly map: OriginMap
}

/** Follows the most specific map there is for an address. Path and query are kept, and no map is followed from there. */
export function applyMaps(address: string, maps: readonly OriginMap[]): MappedAddress | null {
  // An address on the sandbox itself is a path, which no map is for.
  if (maps.length === 0 || !URL.canParse(address)) return null
  const url = new URL(address)
  const by = maps.filter(({ from }) => matchesOrigin(from, url)).toSorted(compareSpecificity)[0]
  return by === undefined ? null : { to: by.to + url.pathname + url.search + url.hash, map: by }
}

function matchesOrigin(from: string, url: URL): boolean {
  const { protocol, port, hostname } = new URL(from)
  if (protocol !== url.protocol || port !== url.port) return false
  const host = url.hostname.replace(/\.$/, '')
  return hostname.startsWith('*.') ? host.endsWith(hostname.slice(1)) : host === hostname
}

/** A map that is for the same host by another scheme or port, or for what is below it only. */
export function findSimilarMap(address: string, maps: readonly OriginMap[]): OriginMap | undefined {
  const url = new URL(address)
  return maps.find(({ from }) => {
    const meant = new URL(from).hostname
    return !matchesOrigin(from, url) && (meant === url.hostname || meant === `*.${url.hostname}`)
  })
}

const isWildcard = ({ from }: OriginMap): boolean => from.includes('//*.')

/** Of two wildcards for one address, the longer one says more. */
const compareSpecificity = (one: OriginMap, other: OriginMap): number =>
  Number(isWildcard(one)) - Number(isWildcard(other)) || other.from.length - one.from.length

/** A redirect as a browser is sent on it, with where it was meant to go. */
export function mapRedirect<Redirect extends { readonly location: string }>(
  redirect: Redirect,
  maps: readonly OriginMap[],
): Redirect & { readonly mappedFrom?: string } {
  const mapped = applyMaps(redirect.location, maps)
  return mapped === null ? redirect : { ...redirect, location: mapped.to, mappedFrom: redirect.location }
}

/** A map as it is kept. Both sides are to be without objection. */
export const normalizeMap = ({ from, to }: OriginMap): OriginMap => ({
  from: normalizeOrigin(from),
  to: to.startsWith('/') ? stripTrailingSlash(to) : stripTrailingSlash(new URL(to).href),
})

/** An origin as it is kept and compared. */
export function normalizeOrigin(from: string): string {
  const { protocol, hostname, port } = new URL(from)
  return `${protocol}//${hostname.replace(/\.$/, '')}${port === '' ? '' : `:${port}`}`
}

const stripTrailingSlash = (address: string): string => address.replace(/\/+$/, '')
