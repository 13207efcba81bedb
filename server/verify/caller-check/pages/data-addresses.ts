import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'
import { createCookieJar } from '../../app/orders/cookie-jar.ts'
import { type Browser, openPage, type PageAnswer } from '../../app/orders/open-page.ts'
import { attributeIn } from '../../app/orders/form-fields.ts'

/**
 * Matches what scripts of pages read with GET: `fetch('/data')`, `axios.get("/data")`, `open('GET', '/data')`, and `data-url="/data"`. An
 * address may end with a part of the address of the page: `fetch('/data/' + id)`, or `${id}` in a template.
 */
const READ =
  /(?:(?:\b(?:fetch|axios|axios\.get|getJSON)|\$\.get)\(\s*|\.open\(\s*["']GET["']\s*,\s*|\bdata-(?:url|src|endpoint)\s*=\s*)(?:(["'`])([^"'`\s$]+)\1|(["'`])([^"'`\s$]+[/=])(?:\3\s*\+\s*[\w.]+(?:\([^()]*\))?(?:\[\d+\])?(?![\w.([])|\$\{[^}`]+\}`))(?!\s*\+)(?!\s*,\s*\{[^}]*\bmethod\b)/gi

const SCRIPT = /<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)/gi

/** More addresses of one page are not read, and no more scripts. */
const MAX_ADDRESSES = 3

/** The addresses of the app from which the scripts of a page read data. */
export async function dataAddresses(browser: Browser, page: PageAnswer): Promise<readonly string[]> {
  const scripts = [...page.text.matchAll(SCRIPT)].map(([, address = '']) => decodeEscapes(address))
  const texts = await Promise.all(
    ownAddresses(page, scripts)
      .slice(0, MAX_ADDRESSES)
      .map(async (one) => {
        const where = `the script ${one}`
        return (await openPage(browser, one, { where, cookies: createCookieJar() })).text
      }),
  )
  const own = new URL(page.url).pathname.split('/').findLast((part) => part !== '') ?? ''
  const found = [page.text, ...texts].flatMap((one) =>
    [...one.matchAll(READ)].map(([, , whole, , begun = '']) => decodeEscapes(whole ?? begun + own)),
  )
  return ownAddresses(page, found).slice(0, MAX_ADDRESSES)
}

const LINK = /<a\b([^>]*)>([^]*?)<\/a>/gi

/** Matches links that may change something, although browsers open them with GET. */
const CHANGES =
  /cancel|delet|remov|destroy|log-?(?:in|out|off)|sign-?(?:in|out|off|up)|subscri|storn|annul|abbestell|lösch|refund|confirm|approv|again|reorder|basket|cart|checkout|(?<![a-z])(?:pay|return|accept|add|buy|send|resend|retry|edit|change|update|reset)(?![a-z])/i

/** The addresses of the app to which a page links, except those that may change something. */
export const linkedAddresses = (page: PageAnswer): readonly string[] =>
  ownAddresses(
    page,
    [...page.text.matchAll(LINK)].flatMap(([, attributes = '', label = '']) => {
      const [address = ''] = attributeIn(attributes, 'href')?.split('#') ?? []
      return [label, address].some((text) => CHANGES.test(text)) ? [] : [address]
    }),
  ).filter((address) => address !== page.url)

/** Those of the addresses that are the app's own, each once. */
const ownAddresses = ({ url }: PageAnswer, addresses: readonly string[]): readonly string[] => [
  ...new Set(
    addresses
      .filter((address) => URL.canParse(address, url))
      .map((address) => new URL(address, url))
      .filter(({ origin }) => origin === new URL(url).origin)
      .map(({ href }) => href),
  ),
]
