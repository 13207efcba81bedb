import type { CheckedOrder } from '../../contract/checks/check.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { RefusedCall } from './sandbox-port.ts'

/** The check cannot start or continue. The message says why, and what to do. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

/** Two different orders got the same pay link. */
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
export function callRefused({ operation, message, sent }: RefusedCall, answer: string): CheckError {
  const refused = `Nothing was checked, because the service refused the call of ${operation} for the order: "${message}".`
  const customer = `The customer saw: ${answer}.`
  const ofAccount = ABOUT_ACCOUNT.find(([refusal]) => refusal.test(message))?.[1]
  if (ofAccount !== undefined) return new CheckError(`${refused} ${ofAccount} ${customer}`)
  const body =
    sent === '' ? '' : ` Your app sent ${truncate(sent, MAX_SENT)}${sent.length > MAX_SENT ? '…' : ''}.`
  const sum = message.startsWith('Share should be less') ? sumOfShares(sent) : ''
  const remedy = REMEDIES.find(([refusal]) => refusal.test(message))?.[1] ?? CORRECT_CALL
  return new CheckError(`${refused}${body}${sum} ${remedy} ${customer}`)
}

/** What to do about refusals that do not depend on what the call contains. */
const ABOUT_ACCOUNT: readonly (readonly [RegExp, string])[] = [
  [
    /\btoken\b.*missing|^Please enter token|^No user found/i,
    'Give your app the API key of an account of this sandbox, and let it send the key in the header token.',
  ],
  [
    /^Too many requests/,
    'Wait a minute, or set the behavior rateLimit of the account to none. The check places more orders than a customer.',
  ],
]

const CORRECT_CALL =
  'Correct this in the call. If the value comes from the order of the check, correct --order-body.'

const MAX_SENT = 400

/** Whole cents, or hundredths of a percent, because a sum of fractions is inexact. */
const HUNDREDTHS = 100

/** ` The shares are 4.25 + 38.46 = 42.71.` Empty if the call names no shares in JSON. */
function sumOfShares(sent: string): string {
  const shares = [...sent.matchAll(/"share": *(\d+(?:\.\d+)?)/g)].map(([, share]) => share!)
  if (shares.length === 0) return ''
  const sum = shares.reduce((total, share) => total + Math.round(Number(share) * HUNDREDTHS), 0)
  return ` The shares are ${shares.join(' + ')}${shares.length === 1 ? '' : ` = ${sum / HUNDREDTHS}`}.`
}

/** What to do about refusals whose message does not say it. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /^Share should be less than or equal to /,
    'The limit is the amount of the link: all recipients[].share together must not exceed it. If you round each share on its own, the sum can be a cent too high, so leave the last cent to your own account.',
  ],
  [
    /^Share should be less than 100/,
    'All recipients[].share together must not exceed 100, because they are percentages. If your app sends euros, also send split_type "absolute".',
  ],
]

/** The app did not create an order. */
export class NoOrderError extends CheckError {
  readonly reason: string
  /** Whether the app says that its code has failed. */
  readonly hasFailed: boolean

  constructor(reason: string, { advice = '', hasFailed = false } = {}) {
    super(`No order could be made: ${reason}.${advice}`)
    this.reason = reason
    this.hasFailed = hasFailed
  }
}
