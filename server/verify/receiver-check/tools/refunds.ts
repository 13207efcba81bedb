import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { reasonOf } from '../../../domain/text/reason-of.ts'
import { receiverRemedies } from '../../mistakes/remedies.ts'
import { requestPatiently } from '../../app/orders/request-app.ts'
import type { SeenProblem } from '../../app/run/failure.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { asked, type RefundCall } from '../../app/run/sandbox-port.ts'
import { stateUrlOf } from '../../app/state/read-order-state.ts'
import type { CaseContext } from '../case-context.ts'
import { CaseFailure } from '../case-failure.ts'
import { waitUntil } from './waits.ts'

/** How often the refund button is clicked again if the app has requested no refund. */
const FURTHER_CLICKS = 2

/** What the service does not like about a refund that the app requests. */
export const refundRefusal = (
  { amount, message }: RefundCall,
  { amount: paid }: Pick<CheckedOrder, 'amount'>,
): Fact => ({
  title: `The service refuses a refund that your app requests: "${message}"`,
  remedy: `Your app requested ${asked(amount)} of a payment of ${formatAmount(paid)}. ${receiverRemedies['refund-call-refused']}`,
})

const CLICK_IGNORED: Fact = {
  title: 'Your app ignores a click on the refund button, and requests the refund at a later one',
  remedy:
    'At the same time, refunds of other orders were underway. If your app requests one refund at a time, let the next one wait, or lock only the order that is refunded.',
}

const FAILS_AFTERWARDS: Fact = {
  title: 'Your app fails after the service has accepted a refund',
  remedy:
    "The money goes back, and your staff sees an error. Look for the error in your app's log. Handle each answer of refundPayment, and record the refund as soon as ResponseCode is 1. A second click must not be needed.",
}

/** What an app answers to a request that it understands and does not want. */
const REFUSALS: ReadonlySet<number> = new Set([400, 409, 422])

const NO_PARTS =
  'your app refuses to refund a part of an order: if it makes only full refunds, leave {refundAmount} out of --refund-url'

/** Reads and checks the refunds that the app requests from the service. */
export function createRefundCallTools(context: CaseContext) {
  const { orders, sandbox } = context

  const refundsOf = async ({ accountId, payId }: CheckedOrder): Promise<readonly RefundCall[]> =>
    (await sandbox.refundCalls(context.startSeq, accountId)).filter((call) => call.payId === payId)

  /** Whether the app has requested a refund of the whole payment, by a call that the service does not refuse. */
  const isRefunded = async (order: CheckedOrder): Promise<boolean> =>
    (await refundsOf(order)).some(({ amount, isPossible }) => isPossible && amount >= order.amount)

  const isRefundAccepted = async (order: CheckedOrder): Promise<boolean> =>
    (await refundsOf(order)).some(({ isAccepted }) => isAccepted)

  /** Throws if the app has requested a refund of one of an order's payments, and the service refuses each of these calls. */
  async function expectPossibleRefund(
    payments: readonly CheckedOrder[],
    isGood: (call: RefundCall) => boolean = ({ isPossible }) => isPossible,
  ): Promise<void> {
    if (!orders.appMakesOrders) return
    const readCalls = async (): Promise<readonly RefundCall[]> =>
      (await Promise.all(payments.map(refundsOf))).flat()
    const [first] = await readCalls()
    if (first === undefined || (await waitUntil(context, async () => (await readCalls()).some(isGood))))
      return
    const seen = `the app called refundPayment for one of the two payments of an order, and the service refused the call: "${first.message}"`
    const paid = payments.find(({ payId }) => payId === first.payId) ?? payments[0]!
    throw new CaseFailure({ problem: 'wrong-refund', seen, fact: refundRefusal(first, paid) }, payments[0]!)
  }

  /** Throws if the app has requested a refund of a payment without a reason. */
  async function expectNoRefund(order: CheckedOrder): Promise<void> {
    if (!orders.appMakesOrders) return
    const [call] = await refundsOf(order)
    if (call === undefined) return
    const seen = `the app requested a refund of ${asked(call.amount)}, and nobody had asked for one`
    throw new CaseFailure({ problem: 'unasked-refund', seen }, order)
  }

  /** Throws if the app has requested several refunds of a payment. It may repeat a request until the service accepts it. */
  async function expectOneRefund(order: CheckedOrder): Promise<void> {
    const calls = await refundsOf(order)
    const accepted = calls.findIndex(({ isAccepted }) => isAccepted)
    if (accepted === -1 || accepted === calls.length - 1) return
    const seen = `the app called refundPayment ${calls.length} times for one payment, after its webhook came again`
    throw new CaseFailure({ problem: 'refund-repeated', seen }, order)
  }

  return { refundsOf, isRefunded, isRefundAccepted, expectPossibleRefund, expectNoRefund, expectOneRefund }
}

/** Asks the app for refunds, waits for them, and finds out why there are none. */
export function createRefundRequestTools(context: CaseContext) {
  const { options, sandbox } = context
  const { refundsOf } = createRefundCallTools(context)

  /** Asks the app to refund an order, completely or in part. Throws if it gives no answer, or an error. */
  async function requestRefund(order: CheckedOrder, euros?: number): Promise<void> {
    const url = refundUrlOf(options, order, euros)
    const failure = (reason: string): CaseFailure =>
      new CaseFailure({ problem: 'no-refund', seen: `no refund could be requested: ${reason}` }, order)
    const { status, location, text } = await requestPatiently(url, '', options).catch(
      async (error: unknown) => {
        throw (await acceptedRefundOf(order, reasonOf(error))) ?? failure(reasonOf(error))
      },
    )
    context.shown.add('the answer to a refund', text)
    const refused = status < 400 ? undefined : await refusedRefundOf(order)
    if (refused !== undefined) throw refused
    // With a 4xx, an app may say that the order is already refunded.
    const accepted = status < 500 ? undefined : await acceptedRefundOf(order, `${url} answered ${status}`)
    if (accepted !== undefined) throw accepted
    if (status === 307 || status === 308)
      throw failure(`${url} answered ${status}, a redirect to ${location ?? 'nothing'}. Correct --refund-url`)
    if (status >= 500) throw failure(`${url} answered ${status}`)
    if (REFUSALS.has(status) && euros !== undefined && euros > 0 && euros < order.amount)
      throw new NotPossibleError(NO_PARTS, 'option', `${url} answered ${status}`)
    if (status >= 400) throw failure(`${url} answered ${status}. Correct --refund-url`)
  }

  /** The failure of an app whose calls for the refund of a payment were all refused. `undefined` if there is no such call. */
  async function refusedRefundOf(order: CheckedOrder): Promise<CaseFailure | undefined> {
    const calls = await refundsOf(order)
    const [first] = calls
    if (first === undefined || calls.some(({ isAccepted }) => isAccepted)) return undefined
    const seen = `the app requested a refund of ${asked(first.amount)} for the payment of ${formatAmount(order.amount)}, and the service refused it: "${first.message}"`
    return new CaseFailure({ problem: 'refund-call-refused', seen, fact: refundRefusal(first, order) }, order)
  }

  /** The failure of an app whose call for the refund of a payment was accepted, before its answer said otherwise. `undefined` if no call was accepted. */
  async function acceptedRefundOf(order: CheckedOrder, answer: string): Promise<CaseFailure | undefined> {
    const accepted = (await refundsOf(order)).find(({ isAccepted }) => isAccepted)
    if (accepted === undefined) return undefined
    const seen = `the app requested a refund of ${asked(accepted.amount)}, and the service accepted it. Then ${answer}`
    return new CaseFailure({ problem: 'wrong-refund', seen, fact: FAILS_AFTERWARDS }, order)
  }

  /** Why no call of the app refunds the payment of an order, although a refund was asked for. */
  async function missingRefund(order: CheckedOrder): Promise<CaseFailure> {
    const calls = await sandbox.refundCalls(context.startSeq, order.accountId)
    const nameless = calls.find(({ payId, isAccepted }) => !isAccepted && !Number.isInteger(payId))
    if (nameless === undefined) {
      const seen =
        'the app was asked for a refund, and did not call refundPayment for the payment of the order'
      return new CaseFailure({ problem: 'no-refund', seen, ...(await ignoredClick(order)) }, order)
    }
    const seen = `the app called refundPayment without the pay_id of a payment, and the service refused the call: "${nameless.message}"`
    return new CaseFailure({ problem: 'wrong-refund', seen }, order)
  }

  /** After a refund that the app did not request, clicks again. Says so if the app requests it now. */
  async function ignoredClick(order: CheckedOrder): Promise<Pick<SeenProblem, 'fact'>> {
    const { length } = await refundsOf(order)
    for (let click = 0; click < FURTHER_CLICKS; click += 1) {
      await tryRefund(order)
      if (await waitUntil(context, async () => (await refundsOf(order)).length > length))
        return { fact: CLICK_IGNORED }
    }
    return {}
  }

  /** Requests a refund that the app may refuse. */
  async function tryRefund(order: CheckedOrder, euros?: number): Promise<void> {
    await requestRefund(order, euros).catch((error: unknown) => {
      if (!(error instanceof CaseFailure || error instanceof NotPossibleError)) throw error
    })
  }

  const waitForRefund = (order: CheckedOrder, limitMs?: number): Promise<boolean> =>
    waitUntil(context, async () => (await refundsOf(order)).length > 0, limitMs)

  return { requestRefund, tryRefund, waitForRefund, refusedRefundOf, missingRefund, ignoredClick }
}

/** The address at which the app refunds an order, completely or in part. */
export const refundUrlOf = (
  { refundUrl = '' }: CaseContext['options'],
  order: CheckedOrder,
  euros = order.amount,
): string => stateUrlOf(refundUrl.replaceAll('{refundAmount}', String(euros)), order)
