import { isWildcardHost } from '../../domain/network/loopback.ts'
import type { Certificate } from './certificate.ts'
import { loadCertificate } from './load-certificate.ts'
import { selfSignedCertificate } from './self-signed-certificate.ts'

interface TlsOptions {
  readonly tls?: boolean
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
}

interface ServerAddress {
  readonly db: string
  readonly host: string
  readonly publicUrl: string | undefined
}

/** The certificate of this sandbox: from the options, or else a self-signed one. `undefined` without TLS. */
export async function openCertificate(
  { tls = false, tlsCert, tlsKey }: TlsOptions,
  { db, host, publicUrl }: ServerAddress,
): Promise<Certificate | undefined> {
  const publicNames = publicUrl?.startsWith('https:') ? [new URL(publicUrl).hostname] : []
  if (tlsCert !== undefined || tlsKey !== undefined) {
    return loadCertificate({ cert: tlsCert, key: tlsKey }, publicNames)
  }
  if (!tls) return undefined
  const listened = isWildcardHost(host) ? [] : [host]
  return selfSignedCertificate(db, [
    ...new Set(['localhost', '127.0.0.1', '::1', ...listened, ...publicNames]),
  ])
}
