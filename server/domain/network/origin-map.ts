/** What is meant for an origin, or for every one below a domain (`https://*.example.com`), goes to another address. */
export interface OriginMap {
  readonly from: string
  /** An origin, which may have a path that is put before, or a path on the sandbox itself. */
  readonly to: string
}

/** Where a map leads an address. */
export interface Led {
  readonly to: string
  readonly by: OriginMap
}

/** Follows the most specific map there is for an address. Path and query are kept, and no map is followed from there. */
export function followMap(address: string, maps: readonly OriginMap[]): Led | null {
  // An address on the sandbox itself is a path, which no map is for.
  if (maps.length === 0 || !URL.canParse(address)) return null
  const url = new URL(address)
  const by = maps.filter(({ from }) => covers(from, url)).toSorted(bySpecificity)[0]
  return by === undefined ? null : { to: by.to + url.pathname + url.search + url.hash, by }
}

function covers(from: string, url: URL): boolean {
  const { protocol, port, hostname } = new URL(from)
  if (protocol !== url.protocol || port !== url.port) return false
  const host = url.hostname.replace(/\.$/, '')
  return hostname.startsWith('*.') ? host.endsWith(hostname.slice(1)) : host === hostname
}

/** A map that is for the same host by another scheme or port, or for what is below it only. */
export function nearMap(address: string, maps: readonly OriginMap[]): OriginMap | undefined {
  const url = new URL(address)
  return maps.find(({ from }) => {
    const meant = new URL(from).hostname
    return !covers(from, url) && (meant === url.hostname || meant === `*.${url.hostname}`)
  })
}

const isWild = ({ from }: OriginMap): boolean => from.includes('//*.')

/** Of two wildcards for one address, the longer one says more. */
const bySpecificity = (one: OriginMap, other: OriginMap): number =>
  Number(isWild(one)) - Number(isWild(other)) || other.from.length - one.from.length

/** A redirect as a browser is sent on it, with where it was meant to go. */
export function redirectAlong<Redirect extends { readonly location: string }>(
  redirect: Redirect,
  maps: readonly OriginMap[],
): Redirect & { readonly mappedFrom?: string } {
  const led = followMap(redirect.location, maps)
  return led === null ? redirect : { ...redirect, location: led.to, mappedFrom: redirect.location }
}

/** A map as it is kept. Both sides are to be without objection. */
export const mapOf = ({ from, to }: OriginMap): OriginMap => ({
  from: normalOrigin(from),
  to: to.startsWith('/') ? withoutSlash(to) : withoutSlash(new URL(to).href),
})

/** An origin as it is kept and compared. */
export function normalOrigin(from: string): string {
  const { protocol, hostname, port } = new URL(from)
  return `${protocol}//${hostname.replace(/\.$/, '')}${port === '' ? '' : `:${port}`}`
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')
