import { linkQuery } from '../domain/links/link-id.ts'
import { payLinkUrl, type Link } from '../domain/links/link.ts'

/** The checkout of a link, as an address on this sandbox. */
export const checkoutPath = (link: Pick<Link, 'payId'>): string => payLinkUrl(link.payId, '')

/** The same page, which then knows what its visitor has just been through. */
export const checkoutPathAfter = (link: Pick<Link, 'payId'>, step: 'waiting' | 'declined'): string =>
  `${checkoutPath(link)}&${step}`

export const resultPath = (link: Pick<Link, 'payId'>, page: 'success' | 'cancelled' | 'closed'): string =>
  `/payment/${page}?${linkQuery(link.payId)}`
