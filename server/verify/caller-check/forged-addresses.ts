import { openPage, type PageAnswer, returnPageOf } from '../receiver-check/open-page.ts'
import { attributeIn, refreshIn } from '../receiver-check/submit-order.ts'
import { redirectLocation } from '../../domain/webhooks/redirect.ts'
import { paymentOutcomes } from '../../domain/webhooks/webhook.ts'
import { type CallerContext, CallerFailure } from './caller-case.ts'
import { placeGoodOrder } from './pay-order.ts'
import { openReturnPage } from './place-order.ts'
import { checkPage } from './returning-customers.ts'
import { expectNoMarkup, MARKUP } from './shows-markup.ts'

/** Opens pages of the app whose address contains markup or another site, as someone may send it to customers. */
export async function openForgedAddresses(context: CallerContext): Promise<void> {
  const { links, cookies } = await placeGoodOrder(context)
  const link = links[0]!
  const forged = await openReturnPage(context, link, { cookies, status: MARKUP, payId: MARKUP })
  checkForged(forged)
  await checkPage(context, forged, false)
  const { url } = await openReturnPage(context, link, { cookies })
  const page = returnPageOf(link)
  const returns = paymentOutcomes.map((status) => redirectLocation(page, link.payId, status))
  const addresses = [
    ...[page, url].flatMap(forgeAddress),
    ...returns.flatMap((one) => forgeTargets(one, namesIn(page))),
  ]
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
  ...[...ELSEWHERES, SCRIPT].flatMap((value) => names.map((name) => withParameters(address, [name], value))),
  ...[ELSEWHERE, SCRIPT].map((value) => withParameters(address, WHERE_TO, value)),
]

const namesIn = (address: string): readonly string[] => [...new URL(address).searchParams.keys()]

function withParameters(address: string, names: readonly string[], value: string): string {
  const url = new URL(address)
  for (const name of names) url.searchParams.set(name, value)
  return url.href
}

const TAG = /<[a-z][^<>]*>/gi

/** The attributes whose script a browser runs when it shows the page, or after a click. */
const TARGETS = ['href', 'src', 'action', 'formaction', 'data']

const linksToScript = ({ text }: PageAnswer): boolean =>
  [...text.matchAll(TAG)].some(([tag]) =>
    TARGETS.some((name) => attributeIn(tag, name)?.trim().toLowerCase() === SCRIPT.toLowerCase()),
  )

function checkForged(page: PageAnswer): void {
  expectNoMarkup([page])
  if (page.error === null && linksToScript(page))
    throw new CallerFailure({ problem: 'script-in-link', seen: `${page.url} has a link to ${SCRIPT}` })
  const target = page.location ?? refreshIn(page.text, page.url) ?? ''
  const isElsewhere =
    URL.canParse(target, page.url) && new URL(target, page.url).host === new URL(ELSEWHERE).host
  if (isElsewhere)
    throw new CallerFailure({ problem: 'open-redirect', seen: `${page.url} sends the browser to ${target}` })
}
