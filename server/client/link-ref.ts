import { extractLinkId, decodeLinkId } from '../domain/links/link-id.ts'
import { describeValue } from './option-value.ts'

/**
 * Identifies a link: its id, its `link_id`, `pay:<pay_id>`, its pay link, or an object with its `id`, such as the `data` of an
 * API response.
 */
export type LinkRef = number | string | { readonly id: number }

/** The key that identifies a link in an event match: `linkId` or `payId`. */
export function linkKeys(link: LinkRef): { readonly linkId: number } | { readonly payId: number } {
  const name = linkName(link)
  if (/^\d+$/.test(name)) return { linkId: Number(name) }
  const payId = name.startsWith('pay:') ? Number(name.slice('pay:'.length)) : decodeLinkId(name)
  if (payId === undefined || !Number.isSafeInteger(payId)) {
    throw new TypeError(
      `${JSON.stringify(link)} does not identify a payment link. Pass its id, its link_id, its pay link, or pay:<pay_id>.`,
    )
  }
  return { payId }
}

/** The text that identifies a link in the control API. */
export function linkName(link: LinkRef): string {
  const id: unknown = typeof link === 'object' && link !== null ? link.id : link
  if (typeof id === 'number') return String(id)
  if (typeof id !== 'string' || id === '') {
    throw new TypeError(
      `Pass a payment link as its id, its link_id, its pay link, pay:<pay_id>, or an object with its id, not as ${describeValue(link)}.`,
    )
  }
  return extractLinkId(id)
}
