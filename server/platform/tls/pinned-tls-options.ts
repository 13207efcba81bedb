import { X509Certificate } from 'node:crypto'

export const wrongCertificate = (): Error =>
  new Error('the certificate of the server is not the trusted certificate')

/**
 * Options for Node's TLS connections that accept exactly this certificate, and ignore the host name of the URL. Empty if there is
 * no certificate.
 */
export function pinnedTlsOptions(certificate: string | undefined) {
  if (certificate === undefined) return {}
  const { fingerprint256 } = new X509Certificate(certificate)
  return {
    ca: certificate,
    // This machine may not know the authority that issued the certificate.
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, shown: { readonly fingerprint256: string }) =>
      shown.fingerprint256 === fingerprint256 ? undefined : wrongCertificate(),
  }
}
