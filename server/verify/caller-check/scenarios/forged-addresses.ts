import { openPage, type PageAnswer, returnPageOf } from '../../app/orders/open-page.ts'
import { CACHED_MS } from '../../app/run/time-limit.ts'
import { attributeIn } from '../../app/orders/form-fields.ts'
import { refreshIn } from '../../app/orders/submit-order.ts'
import { redirectLocation } from '../../../domain/webhooks/redirect.ts'
import { paymentOutcomes } from '../../../domain/webhooks/webhook.ts'
import type { CookieJar } from '../../app/orders/cookie-jar.ts'
import { type CallerContext, CallerFailure, type PlacedOrder } from '../caller-case.ts'
import { payOrder, placeGoodOrder } from '../orders/pay-order.ts'
import { createOrder, openReturnPage, placeOrder } from '../orders/place-order.ts'
import { checkPage } from '../pages/check-page.ts'
import { expectNoMarkup, MARKUP } from '../pages/shows-markup.ts'

/**
 * Opens pages of the app whose address contains markup or another site, as someone may send it to customers: the page of an open, a
 * paid and a cancelled order, and where an order leads whose call the service refuses.
 */
export async function openForgedAddresses(context: CallerContext): Promise<void> {
  const placed = await placeGoodOrder(context)
  const { links, cookies } = placed
  const forged = await openReturnPage(context, links[0]!, { cookies, status: MARKUP, payId: MARKUP })
  checkForged(forged)
  await checkPage(context, forged, false)
  await openForgedReturns(context, placed)
  if (links[0]!.targets.length > 0) {
    await payOrder(context, placed)
    await openForgedReturns(context, placed)
    const cancelled = await placeGoodOrder(context)
    if (await cancelOrder(context, cancelled)) await openForgedReturns(context, cancelled)
  }
  const refused = await placeOrder(context, createOrder(), { faults: ['refuse:Closed'] })
  const pages = refused.answers.filter(({ error, redirectedBy }) => error === null && redirectedBy !== null)
  await openAll(
    context,
    pages.flatMap(({ url }) => forgeAddress(url)),
    refused.cookies,
  )
}

/** Cancels the link of an order, and gives the app some time to learn it. Returns false if the link cannot be cancelled. */
async function cancelOrder(
  { sandbox, watch, options: { cancelledValue } }: CallerContext,
  { links }: PlacedOrder,
): Promise<boolean> {
  if (!(await sandbox.cancel(links[0]!))) return false
  if (cancelledValue !== undefined)
    await watch?.waitUntil(links[0]!, ({ value }) => value === cancelledValue, CACHED_MS)
  return true
}

/** Opens the page of an order with forged values, for every status. */
async function openForgedReturns(context: CallerContext, { links, cookies }: PlacedOrder): Promise<void> {
  const link = links[0]!
  const { url } = await openReturnPage(context, link, { cookies })
  const page = returnPageOf(link)
  const returns = paymentOutcomes.map((status) => redirectLocation(page, link.payId, status))
  const addresses = [
    redirectLocation(page, MARKUP, MARKUP),
    ...[page, url].flatMap(forgeAddress),
    ...returns.flatMap((one) => forgeTargets(one, namesIn(page))),
  ]
  await openAll(context, addresses, cookies)
}

async function openAll(
  context: CallerContext,
  addresses: readonly string[],
  cookies: CookieJar,
): Promise<void> {
  for (const address of new Set(addresses)) checkForged(await openPage(context, address, { cookies }))
}

/** A site that is not the app's, as browsers understand it. */
const ELSEWHERE = 'https://elsewhere.example/'
const ELSEWHERES = [ELSEWHERE, '//elsewhere.example/', '/\\elsewhere.example/']

/** A script as an address, which a page must not link to. Browsers ignore upper and lower case here, so an app must do so as well. */
const SCRIPT = 'JavaScript:q7x()'

/** Usual names of parameters that say where a page leads to. */
const WHERE_TO =
  'next return returnTo return_to return_url returnUrl redirect redirect_to redirect_uri redirect_url redirectTo url goto continue target dest back'.split(
    ' ',
  )

/** Addresses like that of a page, with markup or another site in each of their values, in further parameters, and in the path. */
function forgeAddress(address: string): readonly string[] {
  const url = new URL(address)
  url.pathname = url.pathname.replace(/[^/]*$/, encodeURIComponent(MARKUP))
  return [
    ...namesIn(address).map((name) => withParameters(address, [name], MARKUP)),
    ...forgeTargets(address, namesIn(address)),
    url.href,
    new URL(`/${encodeURIComponent(MARKUP)}?q=${encodeURIComponent(MARKUP)}`, address).href,
  ]
}

/** Addresses like that of a page, with another site, or a script, in each of these parameters, and in further parameters. */
const forgeTargets = (address: string, names: readonly string[]): readonly string[] => [
  ...[SCRIPT, ...ELSEWHERES].flatMap((value) => names.map((name) => withParameters(address, [name], value))),
  ...[SCRIPT, ELSEWHERE].map((value) => withParameters(address, WHERE_TO, value)),
]

const namesIn = (address: string): readonly string[] => [...new URL(address).searchParams.keys()]

function withParameters(address: string, names: readonly string[], value: string): string {
  const url = new URL(address)
  for (const name of names) url.searchParams.set(name, value)
  return url.href
}

const TAG = /<[a-z][^<>]*>/gi

/** The attributes whose address a browser opens when it shows the page, or after a click. */
const TARGETS = ['href', 'src', 'action', 'formaction', 'data']

/** Where the elements of a page lead to. */
const targetsIn = ({ text }: PageAnswer): readonly string[] =>
  [...text.matchAll(TAG)].flatMap(([tag]) => TARGETS.flatMap((name) => attributeIn(tag, name)?.trim() ?? []))

function checkForged(page: PageAnswer): void {
  expectNoMarkup([page])
  if (page.error !== null) return
  const targets = targetsIn(page)
  if (targets.some((target) => target.toLowerCase() === SCRIPT.toLowerCase()))
    throw new CallerFailure({ problem: 'script-in-link', seen: `${page.url} has a link to ${SCRIPT}` })
  const isElsewhere = (target: string): boolean =>
    URL.canParse(target, page.url) && new URL(target, page.url).host === new URL(ELSEWHERE).host
  const next = page.location ?? refreshIn(page) ?? ''
  if (isElsewhere(next))
    throw new CallerFailure({ problem: 'open-redirect', seen: `${page.url} sends the browser to ${next}` })
  const link = targets.find(isElsewhere)
  if (link !== undefined)
    throw new CallerFailure({ problem: 'open-redirect', seen: `${page.url} has a link to ${link}` })
}
