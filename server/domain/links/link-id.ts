/** The `link_id` of a pay link: the base64 of its `pay_id`. */
export const encodeLinkId = (payId: number): string => btoa(String(payId))

/** The query that names a link on the customer's pages. */
export const linkQuery = (payId: number): string => `link_id=${encodeURIComponent(encodeLinkId(payId))}`

/** The `link_id` that a whole pay link holds, else the text as it is. */
export const extractLinkId = (text: string): string =>
  (URL.canParse(text) ? new URL(text).searchParams.get('link_id') : null) ?? text

/** Reads a `link_id` back, percent-encoded or not. `undefined` for anything that is not one. */
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
