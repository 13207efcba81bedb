import { Big } from 'big.js'

/** An amount in whole cents. Euros are used only for input and output. */
export type Cents = number

/** The maximum amount of a payment, in cents. The reference documents no maximum. With this one, every sum is exact. */
export const MAX_AMOUNT: Cents = 999_999_999_99

/** Whether an amount in euros has at most two decimals. */
export const isWholeCents = (euros: number): boolean => {
  if (exactHundredths(euros) !== undefined) return true
  const cents = new Big(euros).times(100)
  return cents.eq(cents.round(0))
}

/** Rounds euros to cents, half a cent up. */
export const roundToCents = (euros: number): number => new Big(euros).round(2, Big.roundHalfUp).toNumber()

/** Converts euros with at most two decimals to cents, exactly: 70.07 is 7007. */
export const fromEuros = (euros: number): Cents =>
  exactHundredths(euros) ?? new Big(euros).times(100).toNumber()

/**
 * Multiplies a number with at most two decimals by 100, exactly and without the slow decimal library: 70.07 becomes 7007. Returns
 * `undefined` for more decimals and for very large numbers. Below 2^46, the error of the product is less than 0.01, so dividing
 * the rounded product by 100 gives the number again only if it has at most two decimals.
 */
export function exactHundredths(number: number): number | undefined {
  const hundredths = Math.round(number * 100)
  return hundredths / 100 === number && Math.abs(hundredths) < 2 ** 46 ? hundredths : undefined
}

export const toEuros = (cents: Cents): number => cents / 100

export const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0)

/** The amount as customers read it: `€1,234.50`. */
export const formatEuros = (cents: Cents): string =>
  (euroFormat ??= new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })).format(toEuros(cents))

/** Created on first use, because the first formatter of a process loads the data of all locales. */
let euroFormat: Intl.NumberFormat | undefined
