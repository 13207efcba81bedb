import { type ResolveOwnPath, isTunnelPath } from '../../domain/network/urls.ts'
import { isOwnOrigin } from './own-addresses.ts'
import { keepCredentials } from '../../domain/network/credentials.ts'

interface ServerAddress {
  /** The name or address that the server listens on. */
  readonly host: string
  readonly publicUrl: string | undefined
  /** Returns the server's URL, whose port is known only when the server listens. */
  readonly origin: () => string
}

/**
 * Creates a function that returns the path and query of a URL of this sandbox, and `null` for any other URL. The hosts of this
 * sandbox are the one in its origin, localhost, its public host, and each address of the machine if the sandbox listens on all of
 * them.
 */
export function createOwnPathResolver({ host, publicUrl, origin }: ServerAddress): ResolveOwnPath {
  // Parsed only when the origin changes, because each webhook uses it several times.
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
 * Creates a function that returns the URL that a webhook for `target` is posted to, and `null` if it is invalid. Webhooks for
 * tunnels of this sandbox go to the address where it listens, even if the target has a different host name.
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

/** The origins that reach a sandbox on 127.0.0.1. A webhook to `localhost` is sent to 127.0.0.1 first. */
function loopbackOrigins(server: URL): readonly string[] {
  const local = new URL(server)
  if (server.hostname === '127.0.0.1') local.hostname = 'localhost'
  return [server.origin, local.origin]
}
