import type { Fetch } from './request.ts'

/** `fetch` for a sandbox that shows a certificate of its own, and for nobody else. */
export async function fetchPinnedTo(certificate: string): Promise<Fetch> {
  // Loaded only where there is one.
  const [{ Agent, fetch }, { createPinnedConnector }] = await Promise.all([
    import('undici'),
    import('../tls/pinned-connector.ts'),
  ])
  const dispatcher = new Agent({ connect: createPinnedConnector(certificate) })
  return (url, init) => fetch(url, { ...init, dispatcher })
}
