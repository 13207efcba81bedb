import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'
import type { HttpResponse } from '../../../domain/http/http-fetch.ts'
import { reasonOf } from '../../../domain/text/reason-of.ts'
import { hidePasswords, keepCredentials } from '../../../domain/network/credentials.ts'
import { isOverloaded } from '../state/check-answer-and-order.ts'
import { CheckError } from '../run/check-error.ts'
import type { CheckRunOptions } from '../run/check-run-options.ts'
import { type CookieJar, cookieHost } from './cookie-jar.ts'
import { attributeIn, fieldsIn } from './form-fields.ts'
import { late } from '../run/failure.ts'
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

export interface PageAnswer extends HttpResponse {
  /** The address of the page, after redirects within the app. */
  readonly url: string
  /** The redirect that led to the page. `null` if there was none. */
  readonly redirectedBy: Redirect | null
  /** Whether the page answers a POST, even one that a redirect has repeated. */
  readonly isPosted: boolean
  readonly payLinks: readonly string[]
  /** The pages before this one that the customer has confirmed. */
  readonly confirmed?: readonly PageAnswer[]
  /** Why there is no response, or `null` if there is one. */
  readonly error: string | null
  readonly isRedirectLoop?: true
  readonly isLate?: true
}

export interface Browser {
  readonly options: Pick<CheckRunOptions, 'signal' | 'fetchApp'>
  readonly shown: ShownTexts
}

interface Visit {
  readonly cookies: CookieJar
  /** What the page is, in words. */
  readonly where?: string
  readonly body?: string | undefined
  readonly method?: string | undefined
  readonly timeoutMs?: number | undefined
  /** True to try again if the app responds with 429 because it limits the number of requests. */
  readonly isPatient?: boolean
  /** Sends the first request in a different way, with these cookies. */
  readonly firstRequest?: ((cookie: string) => Promise<HttpResponse>) | undefined
  readonly referer?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests a page as a customer's browser does: keeps cookies, and follows redirects within the app. */
export async function openPage(browser: Browser, start: string, visit: Visit): Promise<PageAnswer> {
  const { cookies, where = `the page ${start}` } = visit
  let url = start
  let { body } = visit
  let redirectedBy: PageAnswer['redirectedBy'] = null
  const visited = [start]
  try {
    for (;;) {
      const isFirst = visited.length === 1
      const response = await request(browser, url, { ...visit, body }, isFirst)
      cookies.store(url, response.cookies)
      const { status, location, headerLines, text } = response
      keepShown(browser.shown, status < 400 ? where : `${where}, with status ${status},`, response)
      const payLinks = findPayLinks(`${location ?? ''}\n${refreshHeader(headerLines)}\n${text}`)
      const next = payLinks.length === 0 ? nextAddress(response, url, start) : undefined
      if (next === undefined)
        return { ...response, url, redirectedBy, isPosted: body !== undefined, payLinks, error: null }
      visited.push(next)
      if (visited.length > MAX_REDIRECTS + 1)
        return { ...NOTHING, url, error: describeLoop(visited), isRedirectLoop: true }
      redirectedBy = { status, location: location ?? '', url, headerLines }
      url = next
      if (!REPEATING_REDIRECTS.has(status)) body = undefined
    }
  } catch (error) {
    browser.options.signal?.throwIfAborted()
    if (error instanceof CheckError) throw error
    return { ...NOTHING, url, error: reasonOf(error), ...late(error instanceof LateAnswerError) }
  }
}

async function request(
  { options }: Browser,
  url: string,
  { cookies, body, isPatient = false, firstRequest, ...details }: Visit,
  isFirst: boolean,
): Promise<HttpResponse> {
  const cookie = cookies.header(url)
  // If a server did not accept one of many connections, the request is sent again.
  const first = isFirst ? await firstRequest?.(cookie).catch(unlessCheckEnded) : undefined
  if (first !== undefined && !(isPatient && isOverloaded(first))) return first
  const { timeoutMs, method, referer, headers } = details
  const send = isPatient ? requestPatiently : requestApp
  return send(url, body, options, { timeoutMs, method, cookie, referer, headers })
}

function unlessCheckEnded(error: unknown): undefined {
  if (error instanceof CheckError) throw error
}

function keepShown(
  shown: ShownTexts,
  page: string,
  { text, location, cookies, headerLines }: HttpResponse,
): void {
  shown.add(page, text)
  if (location !== null) shown.add('a redirect', location)
  for (const cookie of cookies) shown.add('a cookie', cookie)
  shown.addHeaders(page, headerLines)
}

/** The address that a browser opens next. `undefined` if it shows the page, or leaves the app. */
function nextAddress({ status, location }: HttpResponse, url: string, start: string): string | undefined {
  const isRedirect = CREATED.has(status) || (status >= 300 && status < 400)
  if (!isRedirect || location === null || !URL.canParse(location, url)) return undefined
  // If a host redirects to itself, browsers send its credentials again.
  const next = new URL(keepCredentials(new URL(url), new URL(location, url).href))
  return isSameApp(next, new URL(start)) ? next.href : undefined
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

/**
 * The pay links in a page, a JSON document or an address, each once. Template engines write `/` and `=` as `&#x2F;` and
 * `&#x3D;`, JSON encoders as `\/` and `\u003d`.
 */
function findPayLinks(text: string): string[] {
  const page = decodeEscapes(text)
  const links = [page, ...formTargets(page)].flatMap((one) => one.match(PAY_LINK) ?? [])
  return [...new Set(links)]
}

const PAY_LINK = /https?:\/\/[^\s"'<>\\]+\/payment\?link_id=[\w%+/=-]+/g

/** Where forms with a link id lead. A browser replaces the query of the `action` of a GET form by the fields. */
const formTargets = (page: string): string[] =>
  [...page.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/gi)].flatMap(([, attributes = '', content = '']) => {
    const { link_id: linkId } = fieldsIn(content)
    if (linkId === undefined || /^(post|dialog)$/i.test(attributeIn(attributes, 'method') ?? '')) return []
    const [action = ''] = (attributeIn(attributes, 'action') ?? '').split(/[?#]/)
    return [`${action}?link_id=${encodeURIComponent(linkId)}`]
  })

/** The header that works like a `meta` element: `Refresh: 0; url=/wait`. Empty if there is none. */
export const refreshHeader = (headerLines: string): string =>
  /^refresh: *(.*)$/im.exec(headerLines)?.[1] ?? ''

/** The `Referer` of a customer who comes from the pay link. Browsers send only the host of the service. */
export const refererOf = ({ payLink }: Pick<CheckedOrder, 'payLink'>): string | undefined =>
  payLink === undefined ? undefined : `${new URL(payLink).origin}/`
