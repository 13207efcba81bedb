import type { Context } from 'hono'

/**
 * Why a request does not count as opening the page, or `null` where it does.
 *
 * An address that pays is to be opened on purpose. Browsers say when they only fetch ahead, when an image, a
 * frame or a script asks, and when a page of another site leads here. Who is no browser was told to ask.
 */
export function checkNavigation(c: Context): string | null {
  const purpose = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => c.req.header(name)).join(' ')
  if (/prefetch|prerender|preview/i.test(purpose)) return 'It was fetched ahead of time.'

  const destination = c.req.header('sec-fetch-dest')
  if (destination !== undefined && destination !== 'document') {
    return `It was asked for with Sec-Fetch-Dest: ${destination}.`
  }
  if (destination === undefined && !isPageRequest(c)) return 'It was not asked for as a page.'

  const site = c.req.header('sec-fetch-site')
  const isFromOtherPage = site === undefined ? c.req.header('referer') !== undefined : site === 'cross-site'
  return isFromOtherPage ? checkReferer(c) : null
}

/**
 * Why a form does not count as a click on our page: browsers say when another site's page has sent it. Over plain http
 * from another machine they say it by the `Origin` of forms alone, which is `null` where a page hides it.
 */
export function checkFormOrigin(c: Context): string | null {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'cross-site' ? checkReferer(c) : null
  const from = c.req.header('origin') ?? c.req.header('referer')
  return from === undefined || isTrustedPage(from, c.req.header('host')) ? null : OTHER_SITE
}

const OTHER_SITE =
  'A page of another site led to it. Pages on this machine or in a private network may, where they send a Referer.'

const checkReferer = (c: Context): string | null =>
  isTrustedPage(c.req.header('referer'), c.req.header('host')) ? null : OTHER_SITE

/**
 * Without `Sec-Fetch-Dest`. Browsers send that to this machine, and over https: there, who leaves it out is none.
 * Elsewhere a browser is known by its name, and a page by what browsers send for pages only.
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

/** Whether a page is the sandbox's own, or a developer's: on this machine, or in a private network. */
function isTrustedPage(referer: string | undefined, host: string | undefined): boolean {
  const from = hostnameOf(referer ?? '')
  return from === hostnameOf(`http://${host}`) || THIS_MACHINE.test(from) || PRIVATE_NETWORK.test(from)
}

/** Empty for what is no address. */
const hostnameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')
