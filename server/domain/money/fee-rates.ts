import type { Cents } from './cents.ts'

/** The fee of the payment provider for each payment. */
export const PSP_FEE: Cents = 25

/** The VAT on all fees. */
export const VAT_PERCENT = 19
