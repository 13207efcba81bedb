import { Big } from 'big.js'
import { PSP_FEE, VAT_PERCENT } from './fee-rates.ts'
import type { Cents } from './cents.ts'

/** The payments of one month with the same service fee. */
export interface MonthlyRevenue {
  readonly payments: number
  readonly volume: Cents
  /** A percentage as text, in the format of links: `1.0`. */
  readonly serviceFee: string
}

export interface Fees {
  readonly platformFee: Cents
  readonly pspFee: Cents
  readonly vat: Cents
}

/** The fees of an account for one month. Each of the three fees is rounded half up to the cent. */
export function computeFees(revenue: readonly MonthlyRevenue[], reverseCharge: boolean): Fees {
  const platformShare = ({ volume, serviceFee }: MonthlyRevenue): Big =>
    new Big(volume).times(serviceFee).div(100)
  const platformFee = roundHalfUp(revenue.reduce((total, one) => total.plus(platformShare(one)), new Big(0)))
  const pspFee = PSP_FEE * revenue.reduce((total, { payments }) => total + payments, 0)
  return { platformFee, pspFee, vat: computeVat(platformFee + pspFee, reverseCharge) }
}

/** The VAT on the fees of a month. Zero if the customer owes the VAT (reverse charge). */
export const computeVat = (fees: Cents, reverseCharge: boolean): Cents =>
  reverseCharge ? 0 : roundHalfUp(new Big(fees).times(VAT_PERCENT).div(100))

const roundHalfUp = (cents: Big): Cents => cents.round(0, Big.roundHalfUp).toNumber()
