import type { Fetch } from './request.ts'

/** `fetch` for a sandbox that shows a certificate of its own, and for nobody else. */
export async function fetchPinnedTo(certificate: string): Promise<Fetch> {
  // Loaded only where there is one.
  const [{ Agent, fetch }, { pinnedTo }] = await Promise.all([
    import('undici'),
    import('../tls/pin-certificate.ts'),
  ])
  const dispatcher = new Agent({ connect: pinnedTo(certificate) })
  return (url, init) => fetch(url, { ...init, dispatcher })
}
