import { isIP } from 'node:net'
import type { Certificate } from './certificate.ts'
import { loadCertificate } from './load-certificate.ts'
import { selfSignedCertificate } from './self-signed-certificate.ts'

export interface TlsOptions {
  readonly tls?: boolean
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
}

interface Place {
  readonly db: string
  readonly host: string
  readonly publicUrl: string | undefined
}

/** The certificate to serve with: the one given, else one of the sandbox's own. None where TLS was not asked for. */
export async function openCertificate(
  { tls = false, tlsCert, tlsKey }: TlsOptions,
  { db, host, publicUrl }: Place,
): Promise<Certificate | undefined> {
  const publicNames = publicUrl?.startsWith('https:') ? [new URL(publicUrl).hostname] : []
  if (tlsCert !== undefined || tlsKey !== undefined) {
    return loadCertificate({ cert: tlsCert, key: tlsKey }, publicNames)
  }
  if (!tls) return undefined
  const isEvery = host === '0.0.0.0' || host === '::'
  const own = isEvery || (isIP(host) === 0 && host === 'localhost') ? [] : [host]
  return selfSignedCertificate(db, ['localhost', '127.0.0.1', '::1', ...own, ...publicNames])
}
