import { Big } from 'big.js'
import { fromEuros, isWholeCents, sum, toEuros, type Cents } from './money.ts'
import { Refusal, wording } from '../api/api-error.ts'

/** `normal` shares are percentages of the payment, `absolute` shares are euros. */
export type SplitType = 'normal' | 'absolute'

export interface Payout {
  readonly recipients: readonly Cents[]
  readonly owner: Cents
}

/** Divides a payment among its recipients; the owner keeps what is left. */
export function divide(amount: Cents, type: SplitType, shares: readonly number[]): Payout {
  const recipients = type === 'normal' ? proportional(amount, shares) : fixed(amount, shares)
  return { recipients, owner: amount - sum(recipients) }
}

/** Totals are compared before anything is rounded: 120 % of one cent would otherwise pass. */
function proportional(amount: Cents, percentages: readonly number[]): Cents[] {
  if (total(percentages).gt(100)) throw new Refusal('invalid', wording.percentagesExceed)
  return percentages.map((percentage) => roundDown(new Big(percentage).times(amount).div(100)))
}

function fixed(amount: Cents, euros: readonly number[]): Cents[] {
  if (total(euros).times(100).gt(amount)) throw new Refusal('invalid', wording.sharesExceed(toEuros(amount)))
  const broken = euros.findIndex((share) => !isWholeCents(share))
  if (broken !== -1) throw new Refusal('invalid', wording.shareDecimals(broken))
  return euros.map(fromEuros)
}

/** The odd cent stays with the owner, so the parts always make up the whole. */
const roundDown = (cents: Big): Cents => cents.round(0, Big.roundDown).toNumber()

const total = (shares: readonly number[]): Big =>
  shares.reduce((whole, share) => whole.plus(share), new Big(0))
