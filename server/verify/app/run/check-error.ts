import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import type { ApiErrorCode } from '../../../domain/api/api-error.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { NotPossibleError, quoteNote } from './not-possible.ts'
import type { RefusedCall } from './sandbox-port.ts'

/** The check cannot start or continue. The message says why, and what to do. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

export class SharedLinkError extends CheckError {
  readonly link: CheckedOrder
  readonly seen: string

  constructor(link: CheckedOrder, other: string) {
    const seen = `the orders ${other} and ${link.order} got the same pay link, ${link.payLink ?? link.id}`
    super(`The check ended early, because ${seen}. Give each order a reference that no other order gets.`)
    this.link = link
    this.seen = seen
  }
}

/** The service refused the call that creates the link of an order, so there is no order to check. `answer` is what the customer got. */
export function callRefused(
  { operation, errorCode, message, sent }: RefusedCall,
  answer: string,
): CheckError {
  const refused = `Nothing was checked, because the service refused the call of ${operation} for the order: "${message}".`
  const customer = `The customer saw: ${answer}.`
  const ofAccount = errorCode && ABOUT_ACCOUNT[errorCode]
  if (ofAccount !== undefined) return new CheckError(`${refused} ${ofAccount} ${customer}`)
  const ofShares = errorCode && ABOUT_SHARES[errorCode]
  const sum = ofShares === undefined ? '' : sumOfShares(sent)
  return new CheckError(`${refused}${sentBy(sent)}${sum} ${ofShares ?? CORRECT_CALL} ${customer}`)
}

/** The service refused the call that should refund an order, and does not know that it came from the app. */
export const refundRefused = (
  { operation, errorCode = '', message, sent }: RefusedCall,
  answered: string,
): CheckError =>
  new CheckError(
    `Nothing was checked, because the service refused the call of ${operation} for the refund of an order: "${message}".${errorCode in ABOUT_ACCOUNT ? '' : sentBy(sent)} ${ABOUT_ACCOUNT[errorCode] ?? 'Correct this in the call.'} Your app: ${answered}.`,
  )

const sentBy = (sent: string): string =>
  sent === '' ? '' : ` Your app sent ${truncate(sent, MAX_SENT)}${sent.length > MAX_SENT ? '…' : ''}.`

type ByErrorCode = Readonly<Record<string, string>>

const SEND_THE_KEY =
  'Give your app the API key of an account of this sandbox, and let it send the key in the header token.'

/** What to do about refusals for which the contents of the call do not matter. */
const ABOUT_ACCOUNT: ByErrorCode = {
  tokenRejected: SEND_THE_KEY,
  tokenMissing: SEND_THE_KEY,
  tokenUnknown: SEND_THE_KEY,
  tooManyRequests:
    'Wait a minute, or set the behavior rateLimit of the account to none. The check places more orders than a customer.',
} satisfies Partial<Record<ApiErrorCode, string>>

const CORRECT_CALL =
  'Correct this in the call. If the value comes from the order of the check, correct --order-body.'

const MAX_SENT = 400

/** Converts a number to whole cents or to hundredths of a percent, because a sum of fractions is inexact. */
const HUNDREDTHS = 100

/** ` The shares are 4.25 + 38.46 = 42.71.` Empty if the call does not list shares in JSON. */
function sumOfShares(sent: string): string {
  const shares = [...sent.matchAll(/"share": *(\d+(?:\.\d+)?)/g)].map(([, share]) => share!)
  if (shares.length === 0) return ''
  const sum = shares.reduce((total, share) => total + Math.round(Number(share) * HUNDREDTHS), 0)
  return ` The shares are ${shares.join(' + ')}${shares.length === 1 ? '' : ` = ${sum / HUNDREDTHS}`}.`
}

/** The call for an order that the service refused. */
interface OrderRefusal {
  readonly seen: string
  readonly fact: Fact
}

/** Says which call for an order the service refused. `undefined` if the contents of the call do not matter. */
export function describeRefusedCall(
  { operation, errorCode = '', message, sent }: RefusedCall,
  { amount, note }: Pick<CheckedOrder, 'amount' | 'note'>,
): OrderRefusal | undefined {
  if (errorCode in ABOUT_ACCOUNT) return undefined
  const refused = `the service refused the call of ${operation}: "${message}"`
  return {
    seen: `for an order of ${formatAmount(amount)} with the note ${quoteNote(note)}, ${refused}`,
    fact: {
      title: `Some orders get no payment link, because ${refused}`,
      remedy: `${ABOUT_SHARES[errorCode] ?? CORRECT_CALL}${sentBy(sent)}${sumOfShares(sent)}`,
    },
  }
}

/** What to do about shares that are too high. The message of the service does not say it. */
const ABOUT_SHARES: ByErrorCode = {
  sharesExceed:
    'The limit is the amount of the link: all recipients[].share together must not exceed it. If you round each share on its own, the sum can be a cent too high, so leave the last cent to your own account.',
  percentagesExceed:
    'All recipients[].share together must not exceed 100, because they are percentages. If your app sends euros, also send split_type "absolute".',
} satisfies Partial<Record<ApiErrorCode, string>>

export class NoOrderError extends CheckError {
  readonly reason: string
  /** Whether the app says that its code has failed. */
  readonly hasFailed: boolean
  readonly isLate: boolean
  /** Whether the app has answered that it does not take the order. */
  readonly isRefused: boolean
  /** The call for the order that the service refused. `undefined` if the service refused none. */
  refusedCall: OrderRefusal | undefined

  constructor(reason: string, { advice = '', hasFailed = false, isLate = false, isRefused = false } = {}) {
    super(`No order could be made: ${reason}.${advice}`)
    this.reason = reason
    this.hasFailed = hasFailed
    this.isLate = isLate
    this.isRefused = isRefused
  }
}

/** The app has taken many orders, and now refuses every further one. No case can place an order any longer. */
export class OrdersEndedError extends NotPossibleError {
  override readonly name = 'OrdersEndedError'
  /** The answer of the app. */
  readonly reason: string

  constructor(count: number, { reason }: NoOrderError) {
    super(
      `your app took ${count} orders, and then refused every further one`,
      'order',
      `${reason}. For the check, give your app enough stock, a higher limit of orders, or another test account`,
    )
    this.reason = reason
  }
}

/** For an order that the app may refuse. Throws every other error. */
export function unlessRefused(error: unknown): undefined {
  if (!(error instanceof NoOrderError)) throw error
}

/** For an order that the app may refuse, or may give the link of another order. Throws every other error. */
export function unlessNoOrder(error: unknown): undefined {
  const isKnown = [NoOrderError, OrdersEndedError, SharedLinkError].some((kind) => error instanceof kind)
  if (!isKnown) throw error
}
