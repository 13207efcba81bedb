import { Big } from 'big.js'
import { exactHundredths, fromEuros, isWholeCents, sum, toEuros, type Cents } from './cents.ts'
import { apiError } from '../api/api-error.ts'

/** `normal` shares are percentages of the payment, `absolute` shares are euros. */
export const splitTypes = ['normal', 'absolute'] as const
export type SplitType = (typeof splitTypes)[number]

/** Whether a field of a call is an amount in euros. `recipients.*.share` is one only if the shares are absolute. */
export const isMoneyField = (path: string, splitType: unknown): boolean =>
  /(^|_)amount$/.test(path) || (path === 'recipients.*.share' && splitType === 'absolute')

interface Payout {
  readonly recipients: readonly Cents[]
  readonly owner: Cents
}

/** Divides a payment among its recipients. The owner keeps the rest. */
export function splitPayment(amount: Cents, type: SplitType, shares: readonly number[]): Payout {
  const recipients = type === 'normal' ? splitByPercentage(amount, shares) : splitByEuros(amount, shares)
  return { recipients, owner: amount - sum(recipients) }
}

/** Checks the total before rounding to cents, because 120 % of one cent would be rounded to one cent. */
function splitByPercentage(amount: Cents, percentages: readonly number[]): Cents[] {
  const hundredths = percentages.flatMap((percentage) => exactHundredths(percentage) ?? [])
  if (hundredths.length === percentages.length) {
    // All numbers are whole and below 2^53, so the result is exact even without the decimal library.
    if (sum(hundredths) > 100_00) throw apiError('percentagesExceed')
    return hundredths.map((part) => (part * amount - ((part * amount) % 100_00)) / 100_00)
  }
  if (toFloatPrecision(sumExactly(percentages)).gt(100)) throw apiError('percentagesExceed')
  return percentages.map((percentage) =>
    roundDown(toFloatPrecision(new Big(percentage).times(amount).div(100))),
  )
}

/** Checks the decimals before the total, because three shares of 10/3 euros add up to ten euros, but are not whole cents. */
function splitByEuros(amount: Cents, euros: readonly number[]): Cents[] {
  const broken = euros.findIndex((share) => !isWholeCents(share))
  if (broken !== -1) throw apiError('shareDecimals', broken)
  if (sumExactly(euros).times(100).gt(amount)) throw apiError('sharesExceed', toEuros(amount))
  return euros.map(fromEuros)
}

/** The remaining cent goes to the owner, so that the parts always add up to the payment. */
const roundDown = (cents: Big): Cents => cents.round(0, Big.roundDown).toNumber()

const sumExactly = (shares: readonly number[]): Big =>
  shares.reduce((whole, share) => whole.plus(share), new Big(0))

/** The number of decimal digits that every 64-bit float preserves. */
const FLOAT_DIGITS = 15

/**
 * Removes the rounding error of shares that an app calculated as floats: three times 33.333333333333336 becomes 100, and nine
 * shares of 11.11111111111111 divide €9.00 into whole euros. Amounts have at most 11 digits, so no cent is added.
 */
const toFloatPrecision = (number: Big): Big => number.prec(FLOAT_DIGITS, Big.roundHalfUp)
