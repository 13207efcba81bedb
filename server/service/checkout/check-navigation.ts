import type { Context } from 'hono'

/**
 * Why a GET with an outcome is not a deliberate navigation. `null` if it is one. A browser's headers show whether a page is only
 * prefetched, whether the request comes from an image, a frame or a script, and whether a page of another site links here. Other
 * clients always pass, because someone has started them on purpose.
 */
export function checkNavigation(c: Context): string | null {
  const purpose = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => c.req.header(name)).join(' ')
  if (/prefetch|prerender|preview/i.test(purpose)) return 'The browser only prefetched the address.'

  const destination = c.req.header('sec-fetch-dest')
  if (destination !== undefined && destination !== 'document') {
    return `The request has Sec-Fetch-Dest: ${destination}.`
  }
  if (destination === undefined && !isPageRequest(c)) return 'The browser did not request a page.'

  const site = c.req.header('sec-fetch-site')
  const isFromOtherPage = site === undefined ? c.req.header('referer') !== undefined : site === 'cross-site'
  return isFromOtherPage ? checkReferer(c) : null
}

/**
 * Why a form does not come from a page of this sandbox. `null` if it does. `Sec-Fetch-Site` shows whether the page of another
 * site has sent the form. Over plain HTTP from another machine, browsers leave this header out, so only `Origin` is left.
 * `Origin` is `null` if the page hides it.
 */
export function checkFormOrigin(c: Context): string | null {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'cross-site' ? checkReferer(c) : null
  const from = c.req.header('origin') ?? c.req.header('referer')
  return from === undefined || isTrustedPage(from, c.req.header('host')) ? null : OTHER_SITE
}

const OTHER_SITE =
  'A page of another site sent the request. Only a page on this machine or in a private network may do so, with a Referer.'

const checkReferer = (c: Context): string | null =>
  isTrustedPage(c.req.header('referer'), c.req.header('host')) ? null : OTHER_SITE

/**
 * Checks a request without `Sec-Fetch-Dest`. Browsers send this header over https and to this machine, so a client without it
 * is not a browser there. Over plain HTTP from another machine, `User-Agent` identifies a browser, and headers that browsers
 * send only for pages identify a navigation.
 */
function isPageRequest(c: Context): boolean {
  const accept = c.req.header('accept') ?? ''
  const acceptsPage = accept.includes('text/html')
  if (!acceptsPage && /\b(image|audio|video|font)\/|text\/css/.test(accept)) return false

  const isBrowser = c.req.header('user-agent')?.startsWith('Mozilla/') && accept !== ''
  if (!isBrowser || THIS_MACHINE.test(hostnameOf(`http://${c.req.header('host')}`))) return true
  return acceptsPage && c.req.header('upgrade-insecure-requests') !== undefined
}

const THIS_MACHINE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/
const PRIVATE_NETWORK = /^([^.:]+|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})$/

/** Whether a page belongs to the sandbox or to a developer, because it is on this machine or in a private network. */
function isTrustedPage(referer: string | undefined, host: string | undefined): boolean {
  const from = hostnameOf(referer ?? '')
  return from === hostnameOf(`http://${host}`) || THIS_MACHINE.test(from) || PRIVATE_NETWORK.test(from)
}

/** The host name of a URL. Empty if the URL is invalid. */
const hostnameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')
