import type { Context } from 'hono'

/** The base of URLs in a response: the public URL, or the address that the request was sent to. */
export type BaseUrl = (c: Context) => string

export function createBaseUrl(publicUrl: string | undefined, ownOrigin: () => string): BaseUrl {
  // Cached, because nearly all requests name the same host.
  let last = { host: '', origin: '', url: '' }
  return (c) => {
    if (publicUrl !== undefined) return publicUrl
    const host = c.req.header('host') ?? ''
    const origin = ownOrigin()
    if (host !== last.host || origin !== last.origin) last = { host, origin, url: urlOf(host, origin) }
    return last.url
  }
}

function urlOf(host: string, origin: string): string {
  const url = `${new URL(origin).protocol}//${host}`
  return /^[\w.\-[\]:]{1,255}$/.test(host) && URL.canParse(url) ? url : origin
}
