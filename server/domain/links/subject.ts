import type { Link } from './link.ts'

/** The account, link and other objects that an event is about, if any. */
export interface Subject {
  readonly accountId: string | null
  readonly linkId: number | null
  readonly payId: number | null
}

export const noSubject: Subject = { accountId: null, linkId: null, payId: null }

export const accountSubject = (accountId: string): Subject => ({ accountId, linkId: null, payId: null })

export const linkSubject = ({ accountId, id, payId }: Pick<Link, 'accountId' | 'id' | 'payId'>): Subject => ({
  accountId,
  linkId: id,
  payId,
})
