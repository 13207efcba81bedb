import { type ResolveOwnPath, isTunnelPath } from '../domain/network/urls.ts'
import { isOwnOrigin } from './own-addresses.ts'

interface Own {
  /** The name or address listened on. */
  readonly host: string
  readonly publicUrl: string | undefined
  /** The address listened on. */
  readonly origin: () => string
}

export const createOwnPathResolver =
  ({ host, publicUrl, origin: ownOrigin }: Own): ResolveOwnPath =>
  (address) => {
    const { origin, pathname, search } = new URL(address, ownOrigin())
    const isOwn =
      origin === publicUrl || namesOf(ownOrigin()).includes(origin) || isOwnOrigin(origin, host, ownOrigin())
    return isOwn ? pathname + search : null
  }

/** Where a target leads; `null` where it is no address. A tunnel of this sandbox is asked where that listens, by whatever name. */
export const createTargetResolver =
  (ownPath: ResolveOwnPath, ownOrigin: () => string) =>
  (target: string): URL | null => {
    if (!URL.canParse(target, ownOrigin())) return null
    const path = ownPath(target)
    return new URL(path !== null && isTunnelPath(path) ? path : target, ownOrigin())
  }

/** Webhooks to `localhost` go to 127.0.0.1 first, so where that is listened on, nobody else gets them. */
function namesOf(ownOrigin: string): readonly string[] {
  const own = new URL(ownOrigin)
  const local = new URL(ownOrigin)
  if (own.hostname === '127.0.0.1') local.hostname = 'localhost'
  return [own.origin, local.origin]
}
