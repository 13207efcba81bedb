const base = new URL('./_sandbox/', location.href)

/** The control API. The inspector may be mounted below any path. */
export const controlUrl = new URL('v1', base).href

export const reportUrl = new URL('v1/report', base).href

export const harUrl = new URL('v1/export.har', base).href

export function streamUrl(after: number, epoch: string | undefined): string {
  const url = new URL('v1/stream', base)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('after', String(after))
  if (epoch !== undefined) url.searchParams.set('epoch', epoch)
  return url.href
}

/** An operation of the v2 API. */
export const apiUrl = (operation: string): string => new URL(`../api/v2/${operation}`, base).href

/** A link's QR code, from this page's own origin, because the content security policy allows no other. */
export const qrUrl = (linkId: string): string => new URL(`../qr/${encodeURIComponent(linkId)}.png`, base).href

/** The documentation of both APIs. */
export const docsUrl = new URL('../docs', base).href
