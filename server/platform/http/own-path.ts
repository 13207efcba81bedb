import { type ResolveOwnPath, isTunnelPath } from '../../domain/network/urls.ts'
import { isOwnOrigin } from './own-addresses.ts'
import { keepCredentials } from '../../domain/network/credentials.ts'

interface ServerAddress {
  /** The name or address that the server listens on. */
  readonly host: string
  readonly publicUrl: string | undefined
  /** The server's URL. The port is known only once it listens. */
  readonly origin: () => string
}

/**
 * Returns path and query of a URL that leads to this sandbox, `null` for any other URL. These hosts lead here: the sandbox's
 * origin, localhost, its public URL, and if it listens on all addresses of the machine, each of them.
 */
export function createOwnPathResolver({ host, publicUrl, origin }: ServerAddress): ResolveOwnPath {
  // Parsed once for each origin, because every webhook needs it several times.
  let own = new URL(origin())
  let loopback = loopbackOrigins(own)
  return (address) => {
    const ownOrigin = origin()
    if (own.origin !== ownOrigin) {
      own = new URL(ownOrigin)
      loopback = loopbackOrigins(own)
    }
    const url = new URL(address, own)
    const isOwn = url.origin === publicUrl || loopback.includes(url.origin) || isOwnOrigin(url, host, own)
    return isOwn ? url.pathname + url.search : null
  }
}

/**
 * Returns the URL to which a webhook for `target` is posted, `null` if it is invalid. Tunnels of this sandbox are reached at the
 * address it listens on, even if the target uses another name.
 */
export const createTargetResolver =
  (ownPath: ResolveOwnPath, ownOrigin: () => string) =>
  (target: string): URL | null => {
    const own = ownOrigin()
    if (!URL.canParse(target, own)) return null
    const path = ownPath(target)
    if (path === null || !isTunnelPath(path)) return new URL(target, own)
    return new URL(keepCredentials(new URL(target, own), new URL(path, own).href))
  }

/** A webhook to `localhost` goes to 127.0.0.1 first, so a sandbox that listens there receives it. */
function loopbackOrigins(own: URL): readonly string[] {
  const local = new URL(own)
  if (own.hostname === '127.0.0.1') local.hostname = 'localhost'
  return [own.origin, local.origin]
}
