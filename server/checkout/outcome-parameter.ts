import type { Context } from 'hono'
import { findClosestMatch } from '../domain/text/closest-match.ts'
import type { Form } from './read-form.ts'

interface Unattended {
  readonly method: 'card' | 'bank-transfer'
  readonly outcome: 'pay' | 'cancel' | 'decline' | 'pay-and-close'
  readonly text: string
}

/** What the address of a checkout may ask for, and the button that it stands for. */
export const unattended = {
  card: { method: 'card', outcome: 'pay', text: 'pays by card' },
  bank: { method: 'bank-transfer', outcome: 'pay', text: 'announces a bank transfer' },
  cancel: { method: 'card', outcome: 'cancel', text: 'cancels the payment' },
  decline: { method: 'card', outcome: 'decline', text: 'lets the bank decline the card' },
  close: { method: 'card', outcome: 'pay-and-close', text: 'pays by card, then closes the browser' },
} as const satisfies Record<string, Unattended>

export const unattendedNames = Object.keys(unattended) as readonly (keyof typeof unattended)[]

/** The form that a click would have sent. `undefined` for an outcome that does not exist. */
export function formFor(outcome: string): Form | undefined {
  const name = unattendedNames.find((one) => one === outcome)
  if (name === undefined) return undefined
  const { method, outcome: button } = unattended[name]
  return { fields: new URLSearchParams({ method, outcome: button }), objection: null }
}

/** The outcome that was probably meant: `bank` for `bank-transfer`, `card` for `crad`. */
export const nearestOutcome = (given: string): string | undefined =>
  unattendedNames.find((name) => given.toLowerCase().startsWith(name)) ??
  findClosestMatch(given, unattendedNames)

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
  if (destination === undefined && !asksForPage(c)) return 'It was not asked for as a page.'

  const site = c.req.header('sec-fetch-site')
  const isLedHere = site === undefined ? c.req.header('referer') !== undefined : site === 'cross-site'
  return isLedHere ? ledFromElsewhere(c) : null
}

/**
 * Why a form does not count as a click on our page: browsers say when another site's page has sent it. Over plain http
 * from another machine they say it by the `Origin` of forms alone, which is `null` where a page hides it.
 */
export function notClicked(c: Context): string | null {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'cross-site' ? ledFromElsewhere(c) : null
  const from = c.req.header('origin') ?? c.req.header('referer')
  return from === undefined || isNearby(from, c.req.header('host')) ? null : ELSEWHERE
}

const ELSEWHERE =
  'A page of another site led to it. Pages on this machine or in a private network may, where they send a Referer.'

const ledFromElsewhere = (c: Context): string | null =>
  isNearby(c.req.header('referer'), c.req.header('host')) ? null : ELSEWHERE

/**
 * Without `Sec-Fetch-Dest`. Browsers send that to this machine, and over https: there, who leaves it out is none.
 * Elsewhere a browser is known by its name, and a page by what browsers send for pages only.
 */
function asksForPage(c: Context): boolean {
  const accept = c.req.header('accept') ?? ''
  const isForPage = accept.includes('text/html')
  if (!isForPage && /\b(image|audio|video|font)\/|text\/css/.test(accept)) return false

  const isBrowser = c.req.header('user-agent')?.startsWith('Mozilla/') && accept !== ''
  if (!isBrowser || THIS_MACHINE.test(hostnameOf(`http://${c.req.header('host')}`))) return true
  return isForPage && c.req.header('upgrade-insecure-requests') !== undefined
}

const THIS_MACHINE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/
const PRIVATE_NETWORK = /^([^.:]+|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})$/

/** Whether a page is the sandbox's own, or a developer's: on this machine, or in a private network. */
function isNearby(referer: string | undefined, host: string | undefined): boolean {
  const from = hostnameOf(referer ?? '')
  return from === hostnameOf(`http://${host}`) || THIS_MACHINE.test(from) || PRIVATE_NETWORK.test(from)
}

/** Empty for what is no address. */
const hostnameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')
