import { setTimeout as pause } from 'node:timers/promises'
import { quoteText } from '../../../domain/text/quote-text.ts'
import { reasonOf } from '../../../domain/text/reason-of.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { type CookieJar, createCookieJar } from '../../app/orders/cookie-jar.ts'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import type { WantedOrder } from '../../app/orders/order-template.ts'
import { createPace } from '../../app/orders/pace.ts'
import type { ShownTexts } from '../../app/orders/shown-texts.ts'
import { orderHint, submitOrder } from '../../app/orders/submit-order.ts'
import { CheckError, NoOrderError } from '../../app/run/check-error.ts'
import type { CheckRunOptions } from '../../app/run/check-run-options.ts'
import { createLimit } from '../../app/run/run-side-by-side.ts'

export const REPETITION_PAUSE_MS = 500

/** Statuses that mean that the app cannot accept the order at the moment. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504])
const MAX_TRIES = 4
/** How many times an order is tried again. After failures of the service, an app may pause its calls for some seconds. */
const MAX_TRIES_LATER = 12

const MAX_AT_ONCE = 10

const ORDER_ADVICE = ' Correct --order-url and --order-body.'

/** Submits orders to the app. `hasMade` says whether the app has created an order so far. */
export function createSubmissions(options: CheckRunOptions, shown: ShownTexts, hasMade: () => boolean) {
  const { orderUrl = '', createOrder, signal } = options
  const page = { orderUrl, options, shown, confirmations: undefined }
  let count = 0
  const atMost = createLimit(MAX_AT_ONCE)
  const pace = createPace(signal)

  async function submitOnce(wanted: WantedOrder, timeoutMs?: number): Promise<PageAnswer> {
    count += 1
    return submitOrder(page, wanted, createCookieJar(), timeoutMs)
  }

  /**
   * Submits an order, and tries again while the app is busy. The check places many orders at once. The app may accept fewer, or
   * may be unable to reach the service while both are busy.
   */
  async function submitPatiently(wanted: WantedOrder, cookies = createCookieJar()): Promise<PageAnswer> {
    const started = performance.now()
    for (let tries = 1; ; tries += 1) {
      count += 1
      const answer = await pace.send(() => atMost(() => submitOrder(page, wanted, cookies)))
      const maxTries = hasMade() ? MAX_TRIES_LATER : MAX_TRIES
      const isRepeated = answer.status === 429 || (UNAVAILABLE.has(answer.status) && tries < maxTries)
      if (!isRepeated || pace.isHopeless(started)) return answer
      if (answer.status === 429 && pace.isLimited()) continue
      // The pause is random, because other cases wait for the same app.
      await pause(REPETITION_PAUSE_MS * (1 + Math.random()), undefined, { signal })
    }
  }

  /** Makes the app create an order. Returns the id or the pay link of the order, if the response contains one. */
  async function order(wanted: WantedOrder, cookies: CookieJar): Promise<string | number | undefined> {
    try {
      if (createOrder) {
        count += 1
        return linkRefIn(await createOrder())
      }
    } catch (error) {
      if (error instanceof CheckError) throw error
      throw new NoOrderError(reasonOf(error))
    }
    const answer = await submitPatiently(wanted, cookies)
    if (answer.error !== null)
      throw new NoOrderError(answer.error, { advice: ORDER_ADVICE, isLate: answer.isLate === true })
    if (answer.status >= 400) {
      throw new NoOrderError(describeAnswer(answer), {
        advice:
          orderHint(answer) ||
          ' Check that --order-url creates orders, and that --order-body is what it expects.',
        hasFailed: answer.status === 500,
        isRefused: answer.status < 500 && answer.status !== 429,
      })
    }
    return answer.payLinks[0]
  }

  return {
    submitOnce,
    submitPatiently,
    order,
    count: (): number => count,
    /** How many orders the app has refused because of their number, and how long the others had to wait. */
    limitCounts: pace.counts,
  }
}

export function describeAnswer({ url, status, text }: PageAnswer): string {
  const answer = truncate(text.replace(/\s+/g, ' ').trim(), 120)
  return `${url} answered ${status}${answer === '' ? '' : ` ${quoteText(answer)}`}`
}

/** Reads the result of `createOrder`: a pay link, an id, or an object with an id. */
function linkRefIn(value: unknown): string | number | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value
  const id: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'number' ? id : undefined
}
