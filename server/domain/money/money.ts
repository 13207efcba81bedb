import { Big } from 'big.js'

/** Money in whole cents. Euros exist at the edges only. */
export type Cents = number

/** The most a payment may be, in cents. The reference shows no limit; this one keeps every sum exact. */
export const MAX_AMOUNT: Cents = 999_999_999_99

/** Whether an amount in euros can be written with two decimals. */
export const isWholeCents = (euros: number): boolean => {
  const cents = new Big(euros).times(100)
  return cents.eq(cents.round(0))
}

/** Turns euros of at most two decimals into cents, exactly: 70.07 is 7007. */
export const fromEuros = (euros: number): Cents => new Big(euros).times(100).toNumber()

export const toEuros = (cents: Cents): number => cents / 100

export const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0)

/** The amount as a customer reads it: `€1,234.50`. */
export const formatEuros = (cents: Cents): string => euroFormat.format(toEuros(cents))

const euroFormat = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })
