import { andList } from '../../../domain/text/word-lists.ts'
import { CUSTOMER_TIMEOUT_MS } from '../../../contract/checks/check-times.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { checkFinalOrder } from '../../app/state/check-answer-and-order.ts'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { createCookieJar } from '../../app/orders/cookie-jar.ts'
import { type CallerContext, CallerFailure } from '../caller-case.ts'
import { openReturnPageIfAny } from './place-order.ts'

const POLL_INTERVAL_MS = 250

/**
 * Checks an order that got several links. This is correct only if the app refunds an order that is paid twice. So the check pays
 * two of the links, and waits for the refund.
 */
export async function checkSeveralLinks(
  context: CallerContext,
  links: readonly CheckedOrder[],
): Promise<void> {
  const [first, second] = links
  if (first === undefined || second === undefined) return
  const ids = andList(links.map(({ id }) => id))
  const seen = `the app created ${links.length} links for one order: ${ids}`
  const paid = `${first.id} and ${second.id}`
  const failure = (rest: string): CallerFailure =>
    new CallerFailure({ problem: 'second-link', seen: `${seen}${rest}` })
  if (first.targets.length === 0 || second.targets.length === 0) throw failure('')
  const { sandbox, watch, account, options } = context
  const { timeoutMs = CUSTOMER_TIMEOUT_MS } = options
  const before = await sandbox.newestSeq()
  await sandbox.pay(first)
  if (watch !== undefined) await watch.waitUntilPaid(first)
  await sandbox.pay(second)
  const end = performance.now() + timeoutMs
  for (;;) {
    const refunds = (await sandbox.refundCalls(before, account)).filter(({ isAccepted }) => isAccepted)
    const refunded = links.filter(({ payId }) => refunds.some((refund) => refund.payId === payId))
    if (refunded.length > 1) throw failure(`. ${paid} were paid, and the app refunded both`)
    if (refunded.length === 1) break
    if (performance.now() >= end) throw failure(`. ${paid} were paid, and the app refunded neither`)
    // An app without a background process does its remaining work when someone loads a page.
    await openReturnPageIfAny(context, first, { cookies: createCookieJar() })
    await pause(POLL_INTERVAL_MS, undefined, { signal: options.signal })
  }
  const problem =
    watch && checkFinalOrder('paid-once', await watch.readPatiently(first), watch.source(first), true)
  if (problem !== undefined)
    throw new CallerFailure({ ...problem, seen: `both of two links were paid: ${problem.seen}` })
}
