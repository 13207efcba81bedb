import { randomUUID } from 'node:crypto'
import type { Fact } from '../../../contract/checks/check.ts'
import { CUSTOMER_TIMEOUT_MS, LATE_SECONDS } from '../../../contract/checks/check-times.ts'
import { createCookieJar } from '../../app/orders/cookie-jar.ts'
import { requestApp } from '../../app/orders/request-app.ts'
import { type CallerContext, CallerFailure, failureOf } from '../caller-case.ts'
import { checkFailedOrder } from '../orders/check-order.ts'
import { createOrder, placeOrder, postOrder } from '../orders/place-order.ts'

const QUEUE: Fact = {
  title: 'While the service is slow, customers wait in a queue until the orders of all others are answered',
  remedy:
    'Call the service for each order at once. Hold no lock, no transaction and no queue of all orders during the call, because each slow call adds its time to that of every later customer.',
}

/** How many further customers order while the service is slow. */
const OTHERS = 3

const SLOW = `latency:${LATE_SECONDS}s`

/** How long the app may take until it calls the service. */
const CALL_MS = 5_000

/** How long a simple request may take, and the next call of the service, while orders wait for it. In a queue, each waits for longer than this. */
const SIMPLE_MS = 3_000

/**
 * Several customers order while the service answers late. Each must get an answer in time. Only the notes tell apart their links, so without
 * notes there is one customer.
 */
export async function orderWhileSlow(context: CallerContext): Promise<void> {
  const { timeoutMs = CUSTOMER_TIMEOUT_MS } = context.options
  const options = { faults: [SLOW], timeoutMs }
  let isLate = false
  const order = async (its: CallerContext): Promise<void> => {
    const placed = await placeOrder(its, createOrder(), options)
    isLate ||= placed.answers.some((answer) => answer.isLate)
    checkFailedOrder(its, placed, 'link or failure', options)
  }
  if (!context.passesNotes) return order(context)
  const others = Array.from({ length: OTHERS }, () => SLOW)
  const { sandbox, account } = context
  const seq = await sandbox.newestSeq()
  // One more, because the first call may take the fault of another order, and the first order removes its own at its end.
  const removeFaults = await sandbox.addFault(account, [...others, SLOW], 1)
  try {
    const first = failureOf(() => order({ ...context, isBesideOthers: true }))
    await Promise.race([first, sandbox.waitForLink(seq, account, CALL_MS)])
    const before = await sandbox.newestSeq()
    const [failure, isResponsive, next, ...answers] = await Promise.all([
      first,
      answersOthers(context),
      sandbox.waitForLink(before, account, SIMPLE_MS),
      ...others.map(() => postOrder(context, createOrder(), createCookieJar(), timeoutMs)),
    ])
    const late = answers.filter((answer) => answer.isLate).length
    isLate ||= late > 0
    if (failure !== undefined) throw failure
    // An app that handles one request after another, or a few at once, holds no lock.
    if (late === 0 || next !== undefined || !isResponsive) return
    const seconds = timeoutMs / 1000
    throw new CallerFailure({
      problem: 'no-answer',
      seen: `${OTHERS + 1} customers ordered at once while the service was slow. ${late} of them got no answer within ${seconds} s, although the app answered other requests meanwhile. For ${SIMPLE_MS / 1000} s, it called the service for only one of them`,
      fact: QUEUE,
    })
  } finally {
    await removeFaults()
    // An app with a single worker still works on the orders of customers who have left. Without this, their links would belong to the next case.
    if (isLate) await postOrder(context, createOrder(), createCookieJar())
  }
}

const answersOthers = async ({ orderUrl, options }: CallerContext): Promise<boolean> =>
  requestApp(new URL(`/${randomUUID()}`, orderUrl).href, undefined, options, { timeoutMs: SIMPLE_MS }).then(
    () => true,
    () => false,
  )
