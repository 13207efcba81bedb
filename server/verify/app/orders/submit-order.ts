import { setTimeout as pause } from 'node:timers/promises'
import type { StateOptions } from '../../../contract/checks/check.ts'
import type { CookieJar } from './cookie-jar.ts'
import { attributeIn, fieldsIn } from './form-fields.ts'
import { type PageAnswer, type Browser, openPage, refreshHeader } from './open-page.ts'
import { fillOrderBody, fillOrderUrl, type WantedOrder } from './order-template.ts'

export interface OrderPage extends Browser {
  readonly orderUrl: string
  readonly options: Browser['options'] & Pick<StateOptions, 'formUrl' | 'orderBody' | 'orderMethod'>
  /** How many pages a customer confirms between an order and its pay link. Known once an order has a pay link. */
  confirmations: number | undefined
}

/**
 * Places an order as a customer's browser does: opens the page with the form if there is one, sends the form, and confirms the
 * order if the app shows a page for this.
 */
export async function submitOrder(
  page: OrderPage,
  order: WantedOrder,
  cookies: CookieJar,
  timeoutMs?: number,
): Promise<PageAnswer> {
  const end = performance.now() + (timeoutMs ?? RELOAD_MS)
  const answer = await sendOrder(page, order, cookies, timeoutMs)
  return reload(page, await confirmOrder(page, answer, order, cookies, timeoutMs), cookies, end)
}

/** Opens the page with the form if there is one, and sends the form. */
export async function sendOrder(
  page: OrderPage,
  order: WantedOrder,
  cookies: CookieJar,
  timeoutMs?: number,
): Promise<PageAnswer> {
  const { orderBody = '', orderMethod = 'POST', formUrl } = page.options
  const url = fillOrderUrl(page.orderUrl, order)
  let fields: Readonly<Record<string, string>> = {}
  if (formUrl !== undefined) {
    const form = await openPage(page, fillOrderUrl(formUrl, order), {
      where: `the page ${formUrl}`,
      cookies,
      timeoutMs,
    })
    if (form.error !== null) return form
    fields = fieldsIn(form.text)
  }
  return openPage(page, url, {
    where: `the answer of ${orderMethod} ${url}`,
    cookies,
    timeoutMs,
    ...(orderMethod === 'GET' ? {} : { method: orderMethod, body: fillOrderBody(orderBody, order, fields) }),
  })
}

/** How long a page may reload itself until it shows the pay link. */
const RELOAD_MS = 5_000

const RELOAD_PAUSE_MS = 250

/** Loads a page again if it waits for the link and reloads itself. */
async function reload(
  page: OrderPage,
  answer: PageAnswer,
  cookies: CookieJar,
  end: number,
): Promise<PageAnswer> {
  const { error, payLinks } = answer
  const target = error === null && payLinks.length === 0 ? refreshIn(answer) : undefined
  if (target === undefined || performance.now() > end) return answer
  const { signal } = page.options
  await pause(RELOAD_PAUSE_MS, undefined, { signal })
  return reload(page, await openPage(page, target, { cookies }), cookies, end)
}

/**
 * The address that a page loads by itself after some seconds: `<meta http-equiv="refresh" content="1; url=/wait">`, or the same in a
 * header.
 */
export function refreshIn({
  text,
  headerLines,
  url,
}: Pick<PageAnswer, 'text' | 'headerLines' | 'url'>): string | undefined {
  const [element] = [...text.matchAll(/<meta\b([^>]*)>/gi)].filter(
    ([, attributes = '']) => attributeIn(attributes, 'http-equiv')?.toLowerCase() === 'refresh',
  )
  const refresh = element === undefined ? refreshHeader(headerLines) : attributeIn(element[1]!, 'content')
  if (element === undefined && refresh === '') return undefined
  const [, target = ''] = /url\s*=\s*["']?([^"']*)/i.exec(refresh ?? '') ?? []
  return URL.canParse(target, url) ? new URL(target, url).href : undefined
}

/** The maximum number of pages between an order and its pay link, such as a page for the address. */
const MAX_CONFIRMATIONS = 4

/**
 * Sends the forms of pages that the customer has to confirm, but no more of them than a successful order needs. If the app shows
 * its order form again after a failure, that is not for the customer to confirm.
 */
export async function confirmOrder(
  page: OrderPage,
  first: PageAnswer,
  order: WantedOrder,
  cookies: CookieJar,
  timeoutMs?: number,
): Promise<PageAnswer> {
  let answer = first
  const confirmed: PageAnswer[] = []
  const most = page.confirmations ?? MAX_CONFIRMATIONS
  for (let sent = 0; ; sent += 1) {
    if (answer.error === null && answer.payLinks.length > 0) page.confirmations ??= sent
    const form =
      sent < most && answer.error === null && answer.status < 400 && answer.payLinks.length === 0
        ? formIn(answer, order)
        : undefined
    if (form === undefined) return { ...answer, confirmed }
    confirmed.push(answer)
    answer = await openPage(page, form.url, {
      where: `the answer of POST ${form.url}`,
      cookies,
      timeoutMs,
      body: new URLSearchParams(form.fields).toString(),
    })
  }
}

interface Form {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

const FORM = /<form\b([^>]*\bmethod=["']?post\b[^>]*)>([^]*?)<\/form>/gi

/** Links and forms that lead to such addresses do not continue the order. */
export const ASIDE =
  /log-?out|sign-?out|log-?in|sign-?in|newsletter|subscribe|search|lang|cookie|cancel|remove|delete|refund|storn/i

/** The form that continues the order: one that contains a value of the order, or otherwise the last form. */
function formIn({ text, url: address }: PageAnswer, { order, note }: WantedOrder): Form | undefined {
  const forms = [...text.matchAll(FORM)].flatMap(([, attributes = '', content = '']) => {
    const action = attributeIn(attributes, 'action') ?? ''
    if (!URL.canParse(action, address)) return []
    const { href: url, pathname } = new URL(action, address)
    return [{ url, isAside: ASIDE.test(pathname), fields: fieldsIn(content) }]
  })
  const candidates = forms.some(({ isAside }) => !isAside) ? forms.filter(({ isAside }) => !isAside) : forms
  return (
    candidates.find(({ fields }) =>
      Object.values(fields).some((value) => value !== '' && [order, note].includes(value)),
    ) ?? candidates.at(-1)
  )
}

/** The option that a refused order may lack, as an additional sentence. Empty if the status suggests none. */
export const orderHint = ({ status }: Pick<PageAnswer, 'status'>): string =>
  status === 405
    ? ' If your app places orders with a method other than POST, pass --order-method.'
    : status === 403 || status === 419
      ? ' If the form of the order has a token, pass --form-url, and {form:name} in --order-body.'
      : ''
