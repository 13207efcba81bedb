import { setTimeout as pause } from 'node:timers/promises'
import { decodeEscapes } from '../../domain/text/decode-escapes.ts'
import type { StateOptions } from '../../contract/checks/check.ts'
import type { CookieJar } from './cookie-jar.ts'
import { type Answer, type Browser, openPage } from './open-page.ts'
import { fillOrderBody, fillOrderUrl, type WantedOrder } from './order-template.ts'

/** Where an app takes orders. */
export interface OrderPage extends Browser {
  readonly orderUrl: string
  readonly options: Browser['options'] & Pick<StateOptions, 'formUrl' | 'orderBody' | 'orderMethod'>
  /** Whether customers confirm an order on a second page. The first order shows it. */
  confirmation: 'unknown' | 'needed' | 'none'
}

/**
 * Places an order as the browser of a customer does: opens the page with the form, if there is one, sends the form, and
 * confirms the order if the app asks for that.
 */
export async function submitOrder(
  page: OrderPage,
  order: WantedOrder,
  cookies: CookieJar,
  timeoutMs?: number,
): Promise<Answer> {
  const end = performance.now() + (timeoutMs ?? RELOAD_MS)
  const { orderBody = '', orderMethod = 'POST', formUrl } = page.options
  const url = fillOrderUrl(page.orderUrl, order)
  let fields: Readonly<Record<string, string>> = {}
  if (formUrl !== undefined) {
    const form = await openPage(page, `the page ${formUrl}`, fillOrderUrl(formUrl, order), {
      cookies,
      timeoutMs,
    })
    if (form.error !== null) return form
    fields = fieldsIn(form.text)
  }
  const answer = await openPage(page, `the answer of ${orderMethod} ${url}`, url, {
    cookies,
    timeoutMs,
    method: orderMethod,
    body: fillOrderBody(orderBody, order, fields),
  })
  return reload(page, await confirm(page, answer, cookies, timeoutMs), cookies, end)
}

/** For so long a page may reload itself until it shows the pay link. */
const RELOAD_MS = 5_000

const RELOAD_PAUSE_MS = 250

/** A page can wait for the link, and reload itself until it has one. */
async function reload(page: OrderPage, answer: Answer, cookies: CookieJar, end: number): Promise<Answer> {
  const { error, payLinks, text, url } = answer
  const target = error === null && payLinks.length === 0 ? refreshIn(text, url) : undefined
  if (target === undefined || performance.now() > end) return answer
  const { signal } = page.options
  await pause(RELOAD_PAUSE_MS, undefined, signal === undefined ? {} : { signal })
  return reload(page, await openPage(page, `the page ${target}`, target, { cookies }), cookies, end)
}

/** The address that a page loads by itself after some seconds: `<meta http-equiv="refresh" content="1; url=/wait">`. */
function refreshIn(page: string, address: string): string | undefined {
  const [refresh] = [...page.matchAll(/<meta\b([^>]*)>/gi)].filter(
    ([, attributes = '']) => attributeIn(attributes, 'http-equiv')?.toLowerCase() === 'refresh',
  )
  if (refresh === undefined) return undefined
  const [, target = ''] = /url\s*=\s*["']?([^"']*)/i.exec(attributeIn(refresh[1]!, 'content') ?? '') ?? []
  return URL.canParse(target, address) ? new URL(target, address).href : undefined
}

/** Sends the form of a page that asks the customer to confirm. Apps whose first order gets a link at once have none. */
async function confirm(
  page: OrderPage,
  answer: Answer,
  cookies: CookieJar,
  timeoutMs: number | undefined,
): Promise<Answer> {
  const form = answer.error === null && answer.status < 400 ? FORM.exec(answer.text) : null
  if (page.confirmation === 'unknown' && answer.payLinks.length > 0) page.confirmation = 'none'
  if (form === null || answer.payLinks.length > 0 || page.confirmation === 'none') return answer
  page.confirmation = 'needed'
  const [, attributes = '', content = ''] = form
  const action = attributeIn(attributes, 'action') ?? ''
  if (!URL.canParse(action, answer.url)) return answer
  const url = new URL(action, answer.url).href
  return openPage(page, `the answer of POST ${url}`, url, {
    cookies,
    timeoutMs,
    body: new URLSearchParams(fieldsIn(content)).toString(),
  })
}

const FORM = /<form\b([^>]*\bmethod=["']?post\b[^>]*)>([^]*?)<\/form>/i

/** The names and values of the fields of a page. Frameworks also put the token of a form into a `meta` element. */
function fieldsIn(page: string): Readonly<Record<string, string>> {
  const elements = [...page.matchAll(/<(?:input|meta|button)\b([^>]*)>/gi)].map(
    ([, attributes = '']) => attributes,
  )
  return Object.fromEntries(
    elements.flatMap((attributes) => {
      const name = attributeIn(attributes, 'name')
      return name === undefined
        ? []
        : [[name, attributeIn(attributes, 'value') ?? attributeIn(attributes, 'content') ?? '']]
    }),
  )
}

function attributeIn(attributes: string, name: string): string | undefined {
  const [, quoted, other, bare] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes) ?? []
  const value = quoted ?? other ?? bare
  return value === undefined ? undefined : decodeEscapes(value)
}
