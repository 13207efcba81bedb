import { X509Certificate } from 'node:crypto'

/**
 * Options for Node's TLS connections that accept exactly this certificate and ignore the name in the URL. Empty without
 * a certificate.
 */
export function pinnedTlsOptions(certificate: string | undefined) {
  if (certificate === undefined) return {}
  const { fingerprint256 } = new X509Certificate(certificate)
  return {
    ca: certificate,
    // The authority that issued the certificate may be unknown here.
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, shown: { readonly fingerprint256: string }) =>
      shown.fingerprint256 === fingerprint256
        ? undefined
        : new Error('the server has another certificate than the trusted one'),
  }
}
