/** The `link_id` of a pay link: the base64 of its `pay_id`. */
export const encodeLinkId = (payId: number): string => btoa(String(payId))

/** The query parameter that identifies a link on the checkout pages. */
export const linkQuery = (payId: number): string => `link_id=${encodeURIComponent(encodeLinkId(payId))}`

/** The `link_id` in a pay link. Returns any other text unchanged. */
export const extractLinkId = (text: string): string =>
  (URL.canParse(text) ? new URL(text).searchParams.get('link_id') : null) ?? text

/** Decodes a `link_id`, which may be percent-encoded. Returns `undefined` if it is invalid. */
export function decodeLinkId(linkId: string): number | undefined {
  const encoded = linkId.replaceAll('%3D', '=').replaceAll('%3d', '=')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined
  try {
    const text = atob(encoded)
    return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}
