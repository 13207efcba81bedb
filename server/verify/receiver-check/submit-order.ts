import { decodeEscapes } from '../../domain/text/decode-escapes.ts'
import type { OrderOptions } from '../../contract/checks/check.ts'
import type { CookieJar } from './cookie-jar.ts'
import { type Answer, type Browser, openPage } from './open-page.ts'
import { fillOrderBody, fillOrderUrl, type WantedOrder } from './order-template.ts'

/** Where an app takes orders. */
export interface OrderPage extends Browser {
  readonly orderUrl: string
  readonly options: Browser['options'] & OrderOptions & { readonly orderBody?: string | undefined }
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
  return confirm(page, answer, cookies, timeoutMs)
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
