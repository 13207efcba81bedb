import { X509Certificate } from 'node:crypto'

/** What makes a connection of Node's take this certificate, by whatever name, and no other. Nothing without one. */
export function pinnedTlsOptions(certificate: string | undefined) {
  if (certificate === undefined) return {}
  const { fingerprint256 } = new X509Certificate(certificate)
  return {
    ca: certificate,
    checkServerIdentity: (_host: string, shown: { readonly fingerprint256: string }) =>
      shown.fingerprint256 === fingerprint256 ? undefined : new Error('another certificate'),
  }
}
