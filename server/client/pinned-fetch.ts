import type { Fetch } from './request.ts'

/** Returns a `fetch` that trusts only this certificate. */
export async function fetchPinnedTo(certificate: string): Promise<Fetch> {
  // Loaded only if there is a certificate.
  const [{ Agent, fetch }, { createPinnedConnector }] = await Promise.all([
    import('undici'),
    import('../platform/tls/pinned-connector.ts'),
  ])
  const dispatcher = new Agent({ connect: createPinnedConnector(certificate) })
  return (url, init) => fetch(url, { ...init, dispatcher })
}
