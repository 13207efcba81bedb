import type { Link } from './link.ts'

/** Whom and what an event is about, as far as it is about anyone. */
export interface About {
  readonly accountId: string | null
  readonly linkId: number | null
  readonly payId: number | null
}

export const aboutNothing: About = { accountId: null, linkId: null, payId: null }

export const aboutAccount = (accountId: string): About => ({ accountId, linkId: null, payId: null })

export const aboutLink = ({ accountId, id, payId }: Pick<Link, 'accountId' | 'id' | 'payId'>): About => ({
  accountId,
  linkId: id,
  payId,
})
