import type { Link } from '../links/link.ts'

/**
 * What is wrong in a forged webhook. With `nothing`, the webhook is correct, but there was no payment. With `old`, it repeats an
 * earlier webhook.
 */
export const forgeries = ['amount', 'user', 'payId', 'nothing', 'old'] as const

export type Forgery = (typeof forgeries)[number]

/** An account and a payment that do not exist. */
const UNKNOWN_ACCOUNT_ID = '00000000-0000-4000-8000-00000000dead'
const UNKNOWN_PAY_ID = 999_999_999

/** The wrong values of a forged webhook. A forged amount differs as little as possible from the real one. */
export function forgeFields({ amount }: Pick<Link, 'amount'>, forgery: Exclude<Forgery, 'old'>) {
  switch (forgery) {
    case 'amount':
      return { amount: amount === 1 ? 2 : 1 }
    case 'user':
      return { accountId: UNKNOWN_ACCOUNT_ID }
    case 'payId':
      return { payId: UNKNOWN_PAY_ID }
    case 'nothing':
      return {}
  }
}
