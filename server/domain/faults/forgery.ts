import type { Link } from '../links/link.ts'

/** What is wrong with a webhook that the service never sent; an `old` one was sent once. */
export const forgeries = ['amount', 'user', 'payId', 'nothing', 'old'] as const

export type Forgery = (typeof forgeries)[number]

/** Nobody has this account, and no payment this number. */
const UNKNOWN_ACCOUNT_ID = '00000000-0000-4000-8000-00000000dead'
const UNKNOWN_PAY_ID = 999_999_999

/** What is said of a link that is not so. The smallest amount is the cheapest lie. */
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
