import type { HttpResponse } from '../domain/http/http-fetch.ts'
import { isLoopback } from '../domain/network/loopback.ts'
import { findPayLinks } from '../receiver-check/find-pay-links.ts'
import { requestApp } from '../receiver-check/request-app.ts'
import type { Answer, CallerContext } from './caller-case.ts'

const MAX_REDIRECTS = 5

/** Requests a page as a browser does: keeps cookies, and follows redirects of the app to itself. */
export async function openPage(
  { options, shown }: Pick<CallerContext, 'options' | 'shown'>,
  where: string,
  start: string,
  { body, timeoutMs }: { readonly body?: string; readonly timeoutMs?: number } = {},
): Promise<Answer> {
  let url = start
  const cookies = new Map<string, string>()
  try {
    for (let redirects = 0; ; redirects += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await requestApp(url, redirects === 0 ? body : undefined, options, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        cookie,
      })
      keepCookies(cookies, response)
      const { status, location, text } = response
      shown.push(
        { where, text },
        ...(location === null ? [] : [{ where: 'a redirect', text: location }]),
        ...response.cookies.map((one) => ({ where: 'a cookie', text: one })),
      )
      const payLinks = findPayLinks(`${location ?? ''}\n${text}`)
      const next = location === null ? undefined : resolveUrl(location, url)
      const isFollowed =
        status >= 300 &&
        status < 400 &&
        payLinks.length === 0 &&
        next !== undefined &&
        isSameSite(next, new URL(start))
      if (!isFollowed || redirects === MAX_REDIRECTS) {
        return { ...response, url, isRedirected: redirects > 0, payLinks, error: null }
      }
      url = next.href
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    return { ...NOTHING, url, error: reason }
  }
}

function keepCookies(cookies: Map<string, string>, { cookies: set }: HttpResponse): void {
  for (const text of set) {
    const [, name, value] = /^\s*([^=;]+)=([^;]*)/.exec(text) ?? []
    if (name !== undefined) cookies.set(name, value!)
  }
}

/** `localhost` and `127.0.0.1` are one machine, and apps redirect from one to the other. */
const isSameSite = (one: URL, other: URL): boolean =>
  one.origin === other.origin ||
  (one.port === other.port &&
    one.protocol === other.protocol &&
    isLoopback(one.href) &&
    isLoopback(other.href))

const NOTHING = {
  status: 0,
  location: null,
  cookies: [],
  text: '',
  isRedirected: false,
  payLinks: [],
} as const

const resolveUrl = (location: string, base: string): URL | undefined =>
  URL.canParse(location, base) ? new URL(location, base) : undefined
