import type { CheckedOrder } from '../../contract/checks/check.ts'
import { decodeEscapes } from '../../domain/text/decode-escapes.ts'
import type { HttpResponse } from '../../domain/http/http-fetch.ts'
import { reasonOf } from '../../domain/text/reason-of.ts'
import { hidePasswords, keepCredentials } from '../../domain/network/credentials.ts'
import { isOverloaded } from './check-answer-and-order.ts'
import { CheckError } from './check-error.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { type CookieJar, cookieHost } from './cookie-jar.ts'
import { late } from './failure.ts'
import { LateAnswerError, requestApp, requestPatiently } from './request-app.ts'
import type { ShownTexts } from './shown-texts.ts'

/** The page of the app that the customer of an order returns to. Empty if the link has no callback URL. */
export const returnPageOf = ({
  callbackUrl,
  callbackMappedTo = callbackUrl,
}: Pick<CheckedOrder, 'callbackUrl' | 'callbackMappedTo'>): string => callbackMappedTo

const MAX_REDIRECTS = 10

/** These redirects make a browser repeat the method and the body. After any other redirect, browsers send a GET. */
const REPEATING_REDIRECTS = new Set([307, 308])

/** Statuses whose `Location` is the address of something new. A browser ignores it, but a script of the app may open it. */
const CREATED = new Set([201, 202])

interface Redirect {
  readonly status: number
  readonly location: string
  readonly url: string
  readonly headerLines: string
}

/** What a customer gets after a click. */
export interface PageAnswer extends HttpResponse {
  /** The address of the page, after redirects within the app. */
  readonly url: string
  /** The redirect that led to the page. `null` if there was none. */
  readonly redirectedBy: Redirect | null
  /** Whether the page answers a POST, even one that a redirect has repeated. */
  readonly isPosted: boolean
  readonly payLinks: readonly string[]
  /** Why there is no response, or `null` if there is one. */
  readonly error: string | null
  /** Whether there is no response because the app redirects endlessly. */
  readonly isRedirectLoop?: true
  /** Whether there is no response because the app did not respond in time. */
  readonly isLate?: true
}

export interface Browser {
  readonly options: Pick<CheckRunOptions, 'signal' | 'fetchApp'>
  readonly shown: ShownTexts
}

/** Requests a page as a customer's browser does: keeps cookies, and follows redirects within the app. */
export async function openPage(
  { options, shown }: Browser,
  where: string,
  start: string,
  {
    cookies,
    timeoutMs,
    method,
    isPatient = false,
    firstRequest,
    referer,
    headers,
    ...given
  }: {
    readonly cookies: CookieJar
    readonly body?: string
    readonly method?: string | undefined
    readonly timeoutMs?: number | undefined
    /** True to try again if the app responds with 429 because it limits the number of requests. */
    readonly isPatient?: boolean
    /** Sends the first request in a different way, with these cookies. */
    readonly firstRequest?: ((cookie: string) => Promise<HttpResponse>) | undefined
    /** The address of the page that led here. */
    readonly referer?: string | undefined
    readonly headers?: Readonly<Record<string, string>>
  },
): Promise<PageAnswer> {
  let url = start
  let { body } = given
  let redirectedBy: PageAnswer['redirectedBy'] = null
  const visited = [start]
  try {
    for (let redirects = 0; ; redirects += 1) {
      const request = isPatient ? requestPatiently : requestApp
      const cookie = cookies.header(url)
      const first = redirects === 0 ? await firstRequest?.(cookie).catch(unlessCheckEnded) : undefined
      const response =
        first !== undefined && !(isPatient && isOverloaded(first))
          ? first
          : await request(url, body, options, {
              timeoutMs,
              method,
              cookie,
              referer,
              headers,
            })
      cookies.store(url, response.cookies)
      const { status, location, headerLines, text } = response
      const page = status < 400 ? where : `${where}, with status ${status},`
      shown.add(page, text)
      if (location !== null) shown.add('a redirect', location)
      for (const one of response.cookies) shown.add('a cookie', one)
      shown.addHeaders(page, headerLines)
      const payLinks = findPayLinks(`${location ?? ''}\n${text}`)
      const target = location === null ? undefined : resolveUrl(location, url)
      // If a host redirects to itself, browsers send its credentials again.
      const next = target && new URL(keepCredentials(new URL(url), target.href))
      const isFollowed =
        (CREATED.has(status) || (status >= 300 && status < 400)) &&
        payLinks.length === 0 &&
        next !== undefined &&
        isSameApp(next, new URL(start))
      if (!isFollowed)
        return { ...response, url, redirectedBy, isPosted: body !== undefined, payLinks, error: null }
      if (redirects === MAX_REDIRECTS) {
        return { ...NOTHING, url, error: describeLoop([...visited, next.href]), isRedirectLoop: true }
      }
      redirectedBy = { status, location: location ?? '', url, headerLines }
      url = next.href
      visited.push(url)
      if (!REPEATING_REDIRECTS.has(status)) body = undefined
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof CheckError) throw error
    return { ...NOTHING, url, error: reasonOf(error), ...late(error instanceof LateAnswerError) }
  }
}

/**
 * The addresses of too many redirects. If they form a loop, each address appears once: `http://shop.example/a → /b → /a, and so
 * on`
 */
function describeLoop(visited: readonly string[]): string {
  const again = visited.findIndex((url, index) => visited.indexOf(url) < index)
  const [first = '', ...others] = visited.slice(0, again === -1 ? MAX_SHOWN_REDIRECTS : again + 1)
  const { origin } = new URL(first)
  const places = others.map((url) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url))
  const chain = [first, ...places].map(hidePasswords).join(' → ')
  return `the app redirects ${again === -1 ? `more than ${MAX_REDIRECTS} times` : 'in a circle'}: ${chain}, and so on`
}

const MAX_SHOWN_REDIRECTS = 4

/** If a server did not accept one of many connections, the request is sent again. */
function unlessCheckEnded(error: unknown): undefined {
  if (error instanceof CheckError) throw error
}

/** Whether a page is meant for people but a browser shows nothing. */
export const isEmptyPage = ({ status, headerLines, text }: PageAnswer): boolean =>
  status >= 200 && status < 300 && /^content-type: *text\/html/im.test(headerLines) && text.trim() === ''

const isSameApp = (one: URL, other: URL): boolean =>
  one.protocol === other.protocol &&
  one.port === other.port &&
  cookieHost(one.href) === cookieHost(other.href)

const NOTHING = {
  status: 0,
  location: null,
  cookies: [],
  headerLines: '',
  text: '',
  redirectedBy: null,
  isPosted: false,
  payLinks: [],
} as const

const resolveUrl = (location: string, base: string): URL | undefined =>
  URL.canParse(location, base) ? new URL(location, base) : undefined

/**
 * The pay links in a page, a JSON document or an address, each once. Template engines write `/` and `=` as `&#x2F;` and
 * `&#x3D;`, JSON encoders as `\/` and `\u003d`.
 */
const findPayLinks = (text: string): string[] => [
  ...new Set(decodeEscapes(text).match(/https?:\/\/[^\s"'<>\\]+\/payment\?link_id=[\w%+/=-]+/g) ?? []),
]

/** The `Referer` of a customer who comes from the pay link. Browsers send only the host of the service. */
export const refererOf = ({ payLink }: Pick<CheckedOrder, 'payLink'>): string | undefined =>
  payLink === undefined ? undefined : `${new URL(payLink).origin}/`
