import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import { wrongCertificate } from './pinned-tls-options.ts'

/**
 * An undici connector that accepts only a server with exactly this certificate, and ignores the host name of the URL. A sandbox
 * calls itself at addresses that its certificate may not cover.
 */
export function createPinnedConnector(
  pem: string,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const { fingerprint256 } = new X509Certificate(pem)
  // Without cached sessions, because the certificate is not sent again when a TLS session is resumed.
  const connect = buildConnector({ ...options, rejectUnauthorized: false, maxCachedSessions: 0 })
  return (target, callback) =>
    connect(target, (error, socket) => {
      if (error !== null) return callback(error, null)
      const shown = (socket as TLSSocket).getPeerCertificate?.()
      if (shown?.fingerprint256 === fingerprint256) return callback(null, socket)
      socket.destroy()
      return callback(wrongCertificate(), null)
    })
}
