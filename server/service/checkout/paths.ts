import { linkQuery } from '../../domain/links/link-id.ts'
import { payLinkUrl, type Link } from '../../domain/links/link.ts'

/** The path of a link's checkout. */
export const checkoutPath = (link: Pick<Link, 'payId'>): string => payLinkUrl(link.payId, '')

/** The path of the checkout after a step. The page shows a message about the step. */
export const checkoutPathAfter = (link: Pick<Link, 'payId'>, step: 'waiting' | 'declined'): string =>
  `${checkoutPath(link)}&${step}`

export const resultPath = (link: Pick<Link, 'payId'>, page: 'success' | 'cancelled' | 'closed'): string =>
  `/payment/${page}?${linkQuery(link.payId)}`
