import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { redirectLocation } from '../../../domain/webhooks/redirect.ts'
import type { PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import type { CallerContext, PlacedOrder } from '../caller-case.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { createCookieJar, type CookieJar } from '../../app/orders/cookie-jar.ts'
import { type PageAnswer, openPage, refererOf, returnPageOf } from '../../app/orders/open-page.ts'
import type { WantedOrder } from '../../app/orders/order-template.ts'
import { submitOrder } from '../../app/orders/submit-order.ts'
import { PAUSE_OF_CALLS_MS } from '../../app/run/time-limit.ts'

const AMOUNT = 42.5

/** Longer than any app should need. Only one case limits how long the customer waits. */
const ANSWER_TIMEOUT_MS = 30_000

/** Creates an order with a new name and note, because the app may still know the orders of an earlier check. */
export function createOrder({ order, amount, note }: Partial<WantedOrder> = {}): WantedOrder {
  const id = randomUUID().slice(0, 8)
  return { order: order ?? `check-${id}`, amount: amount ?? AMOUNT, note: note ?? `Check ${id}` }
}

/** Matches the notes of `createOrder` in a page. */
export const NOTE = /Check [\da-f]{8}/g

/** The end of the order's name, which is also part of the note. */
const idIn = ({ order }: WantedOrder): string => order.slice(-8)

export interface PlaceOptions {
  /** The faults for the calls, one for each call. */
  readonly faults?: readonly string[]
  /** Whether the faults apply to all calls. */
  readonly isForever?: true
  /** If set, clicks again when the first click has created a link. */
  readonly isClickedTwice?: true
  /** How long the customer waits for the response. */
  readonly timeoutMs?: number
  readonly cookies?: CookieJar
}

/**
 * Places an order as a customer does. Returns what the customer got, and what the sandbox has recorded. After failures of the
 * service, an app may make no calls for a while. The customer then tries again.
 */
export async function placeOrder(
  context: CallerContext,
  order: WantedOrder,
  options: PlaceOptions = {},
): Promise<PlacedOrder> {
  const { signal } = context.options
  const end = performance.now() + PAUSE_OF_CALLS_MS
  for (;;) {
    const placed = await placeOnce(context, order, options)
    if (hasNoFailedCall(placed, options)) {
      // If the app makes calls for a different order, it has stopped pausing because of an earlier case.
      await placeOrder(context, createOrder())
      return placeOnce(context, order, options)
    }
    if ((options.faults ?? []).length > 0 || !pausesCalls(placed)) return placed
    // While an app pauses its calls, it makes none for other orders either.
    const other = await placeOnce(context, createOrder(), {})
    if (!pausesCalls(other)) return placeOnce(context, order, options)
    if (performance.now() > end)
      throw new NotPossibleError('the app makes no calls for a while after failures')
    await pause(TRY_AGAIN_MS, undefined, { signal })
  }
}

const TRY_AGAIN_MS = 500

const pausesCalls = ({ calls, answers }: PlacedOrder): boolean =>
  calls.length === 0 && answers.every(({ status }) => BUSY.has(status))

/** Statuses that mean that the app, or a service behind it, is busy. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504])

async function placeOnce(
  context: CallerContext,
  order: WantedOrder,
  { faults = [], isForever, isClickedTwice, timeoutMs, cookies = createCookieJar() }: PlaceOptions,
): Promise<PlacedOrder> {
  const { sandbox, account } = context
  const isNewCustomer = cookies.header(context.orderUrl) === ''
  const seq = await sandbox.newestSeq()
  const removeFault = faults.length > 0 && (await sandbox.addFault(account, faults, isForever ? 'always' : 1))
  const click = (browser = cookies): Promise<PageAnswer> => postOrder(context, order, browser, timeoutMs)
  try {
    const answers = isClickedTwice ? await clickTwice(context, seq, click) : [await click()]
    const { calls: all, links } = await sandbox.seenAfter(seq, account)
    // Leaves out refunds, because an app may repeat refunds of earlier payments in the background.
    const calls = all.filter(({ operation }) => operation !== 'refundPayment')
    const named = links.filter(({ note }) => note.includes(idIn(order)))
    // Work for an earlier order may create a link late.
    const own = context.isBesideOthers || named.length > 0 ? named : links
    const placed = own.map((link) => ({ ...link, order: order.order }))
    if (isNewCustomer) for (const link of placed) context.addresses.add(link, context.isBesideOthers !== true)
    return {
      order,
      answers,
      cookies,
      // It is unknown which order a call is for. Successful calls may belong to other cases.
      calls: context.isBesideOthers ? calls.filter(({ code }) => code === 0) : calls,
      links: placed,
    }
  } finally {
    if (removeFault !== false) await removeFault()
  }
}

/**
 * Clicks again when the first click has created a link and the app is still waiting for the API's response, and then once more in
 * a different browser.
 */
async function clickTwice(
  { sandbox, account, options }: CallerContext,
  seq: number,
  click: (browser?: CookieJar) => Promise<PageAnswer>,
): Promise<PageAnswer[]> {
  const first = click()
  await Promise.race([first, sandbox.waitForLink(seq, account, ANSWER_TIMEOUT_MS)])
  options.signal?.throwIfAborted()
  return Promise.all([first, click(), click(createCookieJar())])
}

/**
 * Whether a case about failures of the service proves nothing, because no call could fail. A call is not recorded if the service
 * has read nothing of it.
 */
export const hasNoFailedCall = ({ calls, links }: PlacedOrder, { faults = [] }: PlaceOptions): boolean =>
  calls.length === 0 && links.length === 0 && faults.length > 0 && !faults.includes('drop-request')

/** Places an order, and follows redirects of the app to itself. */
export const postOrder = (
  { page }: Pick<CallerContext, 'page'>,
  order: WantedOrder,
  cookies: CookieJar,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<PageAnswer> => submitOrder(page, order, cookies, timeoutMs)

interface Return {
  readonly cookies: CookieJar
  readonly status?: PaymentOutcome | (string & {}) | undefined
  readonly payId?: string
}

/**
 * Opens the return page, with or without the status of a payment. Throws `NotPossibleError` if it cannot be opened, because the link has no
 * `callback_url`, or because the egress policy forbids the address.
 */
export async function openReturnPage(
  context: CallerContext,
  order: CheckedOrder,
  { cookies, status, payId = String(order.payId) }: Return,
): Promise<PageAnswer> {
  const page = returnPageOf(order)
  if (page === '')
    throw new NotPossibleError('no customer can return: the link of the order has no callback_url', 'order')
  const whyNot = await context.sandbox.heldReason(new URL(page).origin)
  if (whyNot !== null) {
    throw new NotPossibleError(`no customer can return: ${page} cannot be opened: ${whyNot}`, 'option')
  }
  const url = status === undefined ? page : redirectLocation(page, payId, status)
  return openPage(context, url, { cookies, isPatient: true, referer: refererOf(order) })
}

/** Like `openReturnPage`, but returns `undefined` if the page cannot be opened. */
export const openReturnPageIfAny = async (
  ...page: Parameters<typeof openReturnPage>
): Promise<PageAnswer | undefined> =>
  openReturnPage(...page).catch((error: unknown) => {
    if (!(error instanceof NotPossibleError)) throw error
    return undefined
  })
