const base = new URL('./_sandbox/', location.href)

/** The control API, wherever the inspector is mounted. */
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

/** An operation of the emulated service. */
export const apiUrl = (operation: string): string => new URL(`../api/v2/${operation}`, base).href

/** A link's QR code. Asked of where this page comes from, as no other place may give it an image. */
export const qrUrl = (linkId: string): string => new URL(`../qr/${encodeURIComponent(linkId)}.png`, base).href

/** The documents of both APIs, as pages. */
export const docsUrl = new URL('../docs', base).href
