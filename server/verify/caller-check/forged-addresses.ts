import { NotPossibleError } from '../receiver-check/not-possible.ts'
import { openPage, type PageAnswer, returnPageOf } from '../receiver-check/open-page.ts'
import { refreshIn } from '../receiver-check/submit-order.ts'
import type { CallerContext, CallerFailure } from './caller-case.ts'
import { placeGoodOrder } from './pay-order.ts'
import { openReturnPage } from './place-order.ts'
import { checkPage } from './returning-customers.ts'
import { MARKUP, showsMarkup } from './shows-markup.ts'

/** Opens pages of the app whose address contains markup or another site, as someone may send it to customers. */
export async function openForgedAddresses(context: CallerContext): Promise<CallerFailure | undefined> {
  const { links, cookies } = await placeGoodOrder(context)
  const open = async (change: Parameters<typeof openReturnPage>[2]): Promise<PageAnswer> => {
    const page = await openReturnPage(context, links[0]!, change)
    if (page instanceof NotPossibleError) throw page
    return page
  }
  const forged = await open({ cookies, status: MARKUP, payId: MARKUP })
  const failure = checkForged(forged) ?? (await checkPage(context, forged, false))
  if (failure !== undefined) return failure
  const { url } = await open({ cookies })
  const addresses = [returnPageOf(links[0]!), url].flatMap(forgeAddress)
  for (const address of new Set(addresses)) {
    const found = checkForged(await openPage(context, `the page ${address}`, address, { cookies }))
    if (found !== undefined) return found
  }
  return undefined
}

/** A site that is not the app's, as browsers understand it. */
const ELSEWHERE = 'https://elsewhere.example/'
const ELSEWHERES = [ELSEWHERE, '//elsewhere.example/', '/\\elsewhere.example/']

/** Usual names of parameters that say where a page leads to. */
const WHERE_TO =
  'next return returnTo return_to return_url returnUrl redirect redirect_to redirect_uri redirect_url redirectTo url goto continue target dest back'.split(
    ' ',
  )

/** Addresses like that of a page, with markup or another site in each of their values, in further parameters, and in the path. */
function forgeAddress(address: string): readonly string[] {
  const change = (edit: (url: URL) => void): string => {
    const url = new URL(address)
    edit(url)
    return url.href
  }
  const set = (names: readonly string[], value: string): string =>
    change(({ searchParams }) => names.forEach((name) => searchParams.set(name, value)))
  const names = [...new URL(address).searchParams.keys()]
  return [
    ...[MARKUP, ...ELSEWHERES].flatMap((value) => names.map((name) => set([name], value))),
    set(WHERE_TO, ELSEWHERE),
    change((url) => (url.pathname = url.pathname.replace(/[^/]*$/, encodeURIComponent(MARKUP)))),
    new URL(`/${encodeURIComponent(MARKUP)}?q=${encodeURIComponent(MARKUP)}`, address).href,
  ]
}

function checkForged(page: PageAnswer): CallerFailure | undefined {
  if (showsMarkup(page)) return { problem: 'unescaped-note', seen: `${page.url} shows ${MARKUP} as markup` }
  const target = page.location ?? refreshIn(page.text, page.url) ?? ''
  const isElsewhere =
    URL.canParse(target, page.url) && new URL(target, page.url).host === new URL(ELSEWHERE).host
  return isElsewhere
    ? { problem: 'open-redirect', seen: `${page.url} sends the browser to ${target}` }
    : undefined
}
