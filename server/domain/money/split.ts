import { Big } from 'big.js'
import { fromEuros, isWholeCents, sum, toEuros, type Cents } from './money.ts'
import { apiError } from '../api/api-error.ts'

/** `normal` shares are percentages of the payment, `absolute` shares are euros. */
export type SplitType = 'normal' | 'absolute'

export interface Payout {
  readonly recipients: readonly Cents[]
  readonly owner: Cents
}

/** Divides a payment among its recipients; the owner keeps what is left. */
export function splitPayment(amount: Cents, type: SplitType, shares: readonly number[]): Payout {
  const recipients = type === 'normal' ? splitByPercentage(amount, shares) : splitByEuros(amount, shares)
  return { recipients, owner: amount - sum(recipients) }
}

/** Totals are compared before anything is rounded: 120 % of one cent would otherwise pass. */
function splitByPercentage(amount: Cents, percentages: readonly number[]): Cents[] {
  if (sumExactly(percentages).gt(100)) throw apiError('percentagesExceed')
  return percentages.map((percentage) => roundDown(new Big(percentage).times(amount).div(100)))
}

function splitByEuros(amount: Cents, euros: readonly number[]): Cents[] {
  if (sumExactly(euros).times(100).gt(amount)) throw apiError('sharesExceed', toEuros(amount))
  const broken = euros.findIndex((share) => !isWholeCents(share))
  if (broken !== -1) throw apiError('shareDecimals', broken)
  return euros.map(fromEuros)
}

/** The odd cent stays with the owner, so the parts always make up the whole. */
const roundDown = (cents: Big): Cents => cents.round(0, Big.roundDown).toNumber()

const sumExactly = (shares: readonly number[]): Big =>
  shares.reduce((whole, share) => whole.plus(share), new Big(0))
