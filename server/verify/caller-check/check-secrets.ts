import { createCookieJar } from '../receiver-check/cookie-jar.ts'
import { openPage } from '../receiver-check/open-page.ts'
import type { CallerContext, CallerFailure } from './caller-case.ts'
import { createOrder, openReturnPage, placeOrder } from './place-order.ts'

const MAX_SCRIPTS = 20

const SCRIPT = /<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)/gi

/** Opens the scripts that the pages of the app load from the app itself. */
async function openScripts(context: CallerContext): Promise<void> {
  const { orderUrl, options, shown } = context
  const addresses = shown
    .all()
    .flatMap((text) =>
      [...text.matchAll(SCRIPT)].flatMap(([, source = '']) =>
        URL.canParse(source, orderUrl) ? [new URL(source, orderUrl)] : [],
      ),
    )
  const own = addresses.filter(({ origin }) => origin === new URL(orderUrl).origin).map(({ href }) => href)
  for (const url of [...new Set(own)].slice(0, MAX_SCRIPTS)) {
    await openPage({ options, shown }, `the script ${url}`, url, { cookies: createCookieJar() })
  }
}

/** The ways in which the check makes calls fail, because error pages reveal settings more often than other pages do. */
const FAILURES: readonly (readonly string[])[] = [[], ['refuse:Closed'], ['503'], ['html:before'], ['reset']]

/** Searches for the API key in all texts that the app has shown, and in the URLs that it has sent to the service. */
export async function checkShownKey(context: CallerContext): Promise<CallerFailure | undefined> {
  for (const faults of FAILURES) {
    const { links, cookies } = await placeOrder(context, createOrder(), { faults })
    for (const link of links) {
      context.shown.add('the callback_url of a link', link.callbackUrl)
      context.shown.add('the payment_endpoint of a link', link.paymentEndpoint)
      context.shown.add('the note of a link', link.note)
      if (faults.length === 0) await openReturnPage(context, link, { cookies })
    }
  }
  await openScripts(context)
  const seen = context.shown.showsKey(context.key)
  return seen === undefined ? undefined : { problem: 'leaked-key', seen }
}
