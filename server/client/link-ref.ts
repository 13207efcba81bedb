import { extractLinkId, decodeLinkId } from '../domain/links/link-id.ts'
import { describeValue } from './option-value.ts'

/**
 * What names a link: its id, its `link_id`, `pay:<pay_id>`, its pay link, or an object that has its id, such as
 * the `data` of an answer of the API.
 */
export type LinkRef = number | string | { readonly id: number }

/** How the control API's paths name a link. */
export const linkPath = (link: LinkRef): string => encodeURIComponent(linkName(link))

/** How events name a link. */
export function linkKeys(link: LinkRef): { readonly linkId: number } | { readonly payId: number } {
  const name = linkName(link)
  if (/^\d+$/.test(name)) return { linkId: Number(name) }
  const payId = name.startsWith('pay:') ? Number(name.slice('pay:'.length)) : decodeLinkId(name)
  if (payId === undefined || !Number.isSafeInteger(payId)) {
    throw new TypeError(
      `${JSON.stringify(link)} names no payment link. Give its id, its link_id, its pay link, or pay:<pay_id>.`,
    )
  }
  return { payId }
}

/** A link as the control API's queries name it. */
export function linkName(link: LinkRef): string {
  const id: unknown = typeof link === 'object' && link !== null ? link.id : link
  if (typeof id === 'number') return String(id)
  if (typeof id !== 'string' || id === '') {
    throw new TypeError(
      `A payment link is named by its id, its link_id, its pay link, pay:<pay_id>, or an object with its id, not by ${describeValue(link)}.`,
    )
  }
  return extractLinkId(id)
}
