import { linkIdIn, payIdOf } from '../domain/link-id.ts'

/**
 * What names a link: its id, its `link_id`, `pay:<pay_id>`, its pay link, or an object that has its id, such as
 * the `data` of an answer of the API.
 */
export type LinkRef = number | string | { readonly id: number }

/** How the control API's paths name a link. */
export const refOf = (link: LinkRef): string => encodeURIComponent(named(link))

/** How events name a link. */
export function linkKeysOf(link: LinkRef): { readonly linkId: number } | { readonly payId: number } {
  const name = named(link)
  if (/^\d+$/.test(name)) return { linkId: Number(name) }
  const payId = name.startsWith('pay:') ? Number(name.slice('pay:'.length)) : payIdOf(name)
  if (payId === undefined || !Number.isSafeInteger(payId)) {
    throw new TypeError(
      `${JSON.stringify(link)} names no payment link. Give its id, its link_id, its pay link, or pay:<pay_id>.`,
    )
  }
  return { payId }
}

function named(link: LinkRef): string {
  if (typeof link === 'object') return String(link.id)
  if (typeof link === 'number') return String(link)
  return linkIdIn(link)
}
