import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { operations } from '../../../domain/api/operations.ts'
import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'
import type { HttpFetch } from '../../../domain/http/http-fetch.ts'
import { fetchDirectly } from '../../app/orders/request-app.ts'
import { createCookieJar } from '../../app/orders/cookie-jar.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { openPage, type PageAnswer } from '../../app/orders/open-page.ts'
import { type CallerContext, CallerFailure } from '../caller-case.ts'
import { createOrder, openReturnPageIfAny, placeOrder } from '../orders/place-order.ts'

const MAX_OPENED = 40

const SCRIPT = /<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)/gi

const INLINE_SCRIPT = /<script\b[^>]*>([^]*?)<\/script>/gi

/** Matches the addresses that a script names: those with a slash at the beginning, files, and source maps. */
const NAMED = /(?:["'`]|sourceMappingURL=)(\.?\/[\w./-]+|[\w./-]+\.(?:json|m?js|map))(?=["'`\s]|$)/g

/** Files and pages that an app should not show to strangers. */
const FILES = [
  '.env',
  '.env.local',
  '.env.production',
  '.git/config',
  'config.json',
  'config.js',
  'docker-compose.yml',
  'package.json',
  'server.js',
  'app.js',
  'index.js',
  'app.py',
  'debug',
  'env',
  'actuator/env',
].map((file) => `/${file}`)

/** The first groups of all matches in some texts. */
const matches = (texts: readonly string[], pattern: RegExp): readonly string[] =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found))

/**
 * Opens the scripts that the pages of the app load from the app itself, what these scripts name, and files that should not be public.
 * Returns the scripts.
 */
async function openScripts(context: CallerContext): Promise<readonly string[]> {
  const { orderUrl, options, shown } = context
  const opened = new Set<string>()
  const open = async (addresses: readonly string[]): Promise<readonly string[]> => {
    const urls = addresses.flatMap((one) => (URL.canParse(one, orderUrl) ? [new URL(one, orderUrl)] : []))
    const own = urls.filter(({ origin }) => origin === new URL(orderUrl).origin).map(({ href }) => href)
    const fresh = [...new Set(own)].filter((url) => !opened.has(url)).slice(0, MAX_OPENED - opened.size)
    fresh.forEach((url) => opened.add(url))
    const answers = await Promise.all(
      fresh.map((url) =>
        openPage({ options, shown }, url, { where: `the file ${url}`, cookies: createCookieJar() }),
      ),
    )
    return answers.map(({ text }) => text)
  }
  const pages = shown.all()
  const scripts = [...matches(pages, INLINE_SCRIPT), ...(await open(matches(pages, SCRIPT)))]
  const named = await open(matches(scripts, NAMED))
  await open(FILES)
  return [...scripts, ...named]
}

/** An address that ends with the name of an operation of the API. */
const OPERATION = new RegExp(`["'\`]([\\w./-]*/)(?:${operations.join('|')})\\b`, 'g')

/** Calls the service through the app, as a stranger without a key. The operation changes nothing. */
async function findProxy(
  { orderUrl, options, shown, sandbox, account }: CallerContext,
  scripts: readonly string[],
): Promise<CallerFailure | undefined> {
  for (const path of new Set(['/api/v2/', ...matches(scripts, OPERATION)])) {
    const url = new URL(`${path}getTaxInvoiceList`, orderUrl).href
    const seq = await sandbox.newestSeq()
    const { text } = await openPage({ options, shown }, url, {
      where: `the answer of POST ${url}`,
      cookies: createCookieJar(),
      body: '{}',
    })
    const { calls } = await sandbox.seenAfter(seq, account)
    if (!text.includes('ResponseCode') || !calls.some(({ operation }) => operation === 'getTaxInvoiceList'))
      continue
    const seen = `anyone can send POST ${url}, and your app passes it on to the service with its key`
    return new CallerFailure({ problem: 'open-proxy', seen })
  }
  return undefined
}

const ELSEWHERE = 'elsewhere.example'

/** Orders with a forged `Host`. If the addresses of the link lead there, says so: a web server may let only known hosts through. */
async function forgeHost(context: CallerContext): Promise<void> {
  const { fetchApp = fetchDirectly } = context.options
  const options = {
    ...context.page.options,
    fetchApp: ((url, request) =>
      fetchApp(url, { ...request, headers: { ...request.headers, host: ELSEWHERE } })) satisfies HttpFetch,
  }
  const { links } = await placeOrder({ ...context, page: { ...context.page, options } }, createOrder(), {
    timeoutMs: 2_000,
  })
  const found = links
    .flatMap(({ paymentEndpoint, callbackUrl }) => [paymentEndpoint, callbackUrl])
    .find((one) => one.includes(`//${ELSEWHERE}`))
  if (found === undefined) return
  throw new NotPossibleError(
    'your app builds the addresses of its links from the header Host: unless your web server refuses unknown hosts, a customer can get the webhook, and then confirm payments. Build addresses from a setting',
    'inconclusive',
    `an order with Host: ${ELSEWHERE} got the address ${found}`,
  )
}

/** Parts of an address that nobody can guess. Words have no digit. */
const secretParts = (address: string): readonly string[] =>
  address.split(/[/?&=.]/).filter((part) => part.length >= 8 && /\d/.test(part) && !part.includes(':'))

/** Whether a page shows all that its reader needs for a webhook that confirms the payment: the account, and the address. */
function findForgery(
  { account }: CallerContext,
  { callbackUrl, targets }: CheckedOrder,
  pages: readonly PageAnswer[],
): CallerFailure | undefined {
  for (const { text, url } of pages) {
    const known = `${decodeEscapes(text)} ${callbackUrl}`
    const isKnown = targets.some((target) => secretParts(target.url).every((part) => known.includes(part)))
    if (!known.includes(account) || !isKnown) continue
    return new CallerFailure({
      problem: 'leaked-webhook',
      seen: `${url} contains the id of the account, and its reader knows the address of the webhook. A webhook needs nothing else to confirm a payment`,
    })
  }
  return undefined
}

/** The ways in which the check makes calls fail, because error pages reveal settings more often than other pages do. */
const FAILURES: readonly (readonly string[])[] = [[], ['refuse:Closed'], ['503'], ['html:before'], ['reset']]

/**
 * Searches for the API key in all texts that the app has shown, and in the URLs that it has sent to the service. Then searches for
 * other ways to use the account.
 */
export async function checkShownKey(context: CallerContext): Promise<void> {
  let forgery: CallerFailure | undefined
  for (const faults of FAILURES) {
    const { links, cookies, answers } = await placeOrder(context, createOrder(), { faults })
    for (const link of links) {
      context.shown.add('the callback_url of a link', link.callbackUrl)
      context.shown.add('the payment_endpoint of a link', link.paymentEndpoint)
      context.shown.add('the note of a link', link.note)
      if (faults.length > 0) continue
      const page = await openReturnPageIfAny(context, link, { cookies })
      const pages = page === undefined ? answers : [...answers, page]
      forgery ??= findForgery(context, link, pages)
    }
  }
  const scripts = await openScripts(context)
  const proxy = await findProxy(context, scripts)
  const seen = context.shown.showsKey(context.key)
  if (seen !== undefined) throw new CallerFailure({ problem: 'leaked-key', seen })
  const failure = proxy ?? forgery
  if (failure !== undefined) throw failure
  await forgeHost(context)
}
