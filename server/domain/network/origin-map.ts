import { keepCredentials } from './credentials.ts'

/** Sends requests for an origin, or for all its subdomains (`https://*.example.com`), to a different address. */
export interface OriginMap {
  readonly from: string
  /** An origin with an optional path prefix, or a path on the sandbox. */
  readonly to: string
}

/** The address that a map replaces a URL by. */
interface MappedAddress {
  readonly to: string
  readonly map: OriginMap
}

/**
 * Applies the most specific map to a URL. Path and query stay. So do user name and password, unless the map has its own. The
 * result is not mapped again.
 */
export function applyMaps(address: string, maps: readonly OriginMap[]): MappedAddress | null {
  // A path on the sandbox is never mapped.
  if (maps.length === 0 || !URL.canParse(address)) return null
  const url = new URL(address)
  const by = maps.filter(({ from }) => matchesOrigin(from, url)).toSorted(compareSpecificity)[0]
  if (by === undefined) return null
  return { to: keepCredentials(url, by.to + url.pathname + url.search + url.hash), map: by }
}

function matchesOrigin(from: string, url: URL): boolean {
  const { protocol, port, hostname } = new URL(from)
  if (protocol !== url.protocol || port !== url.port) return false
  const host = url.hostname.replace(/\.$/, '')
  return hostname.startsWith('*.') ? host.endsWith(hostname.slice(1)) : host === hostname
}

/**
 * A map that nearly matches: one for the same host with a different scheme or port, or one for the subdomains of the host only.
 */
export function findSimilarMap(address: string, maps: readonly OriginMap[]): OriginMap | undefined {
  const url = new URL(address)
  return maps.find(({ from }) => {
    const hostname = new URL(from).hostname
    return !matchesOrigin(from, url) && (hostname === url.hostname || hostname === `*.${url.hostname}`)
  })
}

const isWildcard = ({ from }: OriginMap): boolean => from.includes('//*.')

/** The longer of two matching wildcards is more specific. */
const compareSpecificity = (one: OriginMap, other: OriginMap): number =>
  Number(isWildcard(one)) - Number(isWildcard(other)) || other.from.length - one.from.length

/** A redirect to the mapped address. Keeps the original address as well. */
export function mapRedirect<Redirect extends { readonly location: string }>(
  redirect: Redirect,
  maps: readonly OriginMap[],
): Redirect & { readonly mappedFrom?: string } {
  const mapped = applyMaps(redirect.location, maps)
  return mapped === null ? redirect : { ...redirect, location: mapped.to, mappedFrom: redirect.location }
}

/** A map in its normalized form. Both addresses must be valid. */
export const normalizeMap = ({ from, to }: OriginMap): OriginMap => ({
  from: normalizeOrigin(from),
  to: to.startsWith('/') ? stripTrailingSlash(to) : stripTrailingSlash(new URL(to).href),
})

/** An origin in normalized form, for storage and comparison. */
export function normalizeOrigin(from: string): string {
  const { protocol, hostname, port } = new URL(from)
  return `${protocol}//${hostname.replace(/\.$/, '')}${port === '' ? '' : `:${port}`}`
}

const stripTrailingSlash = (address: string): string => address.replace(/\/+$/, '')
