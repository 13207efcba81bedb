import { isLoopback } from '../../../domain/network/loopback.ts'

/** The cookies in a customer's browser. Each host gets only its own cookies, on all ports. The paths of cookies are ignored. */
export function createCookieJar() {
  const cookiesByHost = new Map<string, Map<string, string>>()

  return {
    /** The value of a request's `Cookie` header. Empty if there are no cookies. */
    header: (url: string): string =>
      [...(cookiesByHost.get(cookieHost(url)) ?? [])].map(([name, value]) => `${name}=${value}`).join('; '),
    /** Stores the cookies of a response. An expired cookie deletes the stored cookie with its name. */
    store(url: string, setCookies: readonly string[]): void {
      const host = cookieHost(url)
      const cookies = cookiesByHost.get(host) ?? new Map<string, string>()
      cookiesByHost.set(host, cookies)
      for (const text of setCookies) {
        const [, name, value] = /^\s*([^=;]+)=([^;]*)/.exec(text) ?? []
        if (name === undefined) continue
        if (isExpired(text)) cookies.delete(name)
        else cookies.set(name, value!)
      }
    },
  }
}

/** The host of an address. All names of this machine count as one host, because apps redirect from one name to another. */
export const cookieHost = (url: string): string => (isLoopback(url) ? 'localhost' : new URL(url).hostname)

export type CookieJar = ReturnType<typeof createCookieJar>

/** `Max-Age` takes precedence over `Expires`. */
function isExpired(text: string): boolean {
  const maxAge = /;\s*max-age=(-?\d+)/i.exec(text)?.[1]
  if (maxAge !== undefined) return Number(maxAge) <= 0
  const expires = /;\s*expires=([^;]+)/i.exec(text)?.[1]
  return expires !== undefined && Date.parse(expires) <= Date.now()
}
