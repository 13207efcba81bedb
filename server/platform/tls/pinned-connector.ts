import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'

/**
 * An undici connector that connects only to a server with exactly this certificate. It ignores the name in the URL. A
 * sandbox calls itself by addresses that its certificate may not cover.
 */
export function createPinnedConnector(
  pem: string,
  options: buildConnector.BuildOptions = {},
): buildConnector.connector {
  const { fingerprint256 } = new X509Certificate(pem)
  // A resumed TLS session does not send the certificate again, so sessions are not cached.
  const connect = buildConnector({ ...options, rejectUnauthorized: false, maxCachedSessions: 0 })
  return (target, callback) =>
    connect(target, (error, socket) => {
      if (error !== null) return callback(error, null)
      const shown = (socket as TLSSocket).getPeerCertificate?.()
      if (shown?.fingerprint256 === fingerprint256) return callback(null, socket)
      socket.destroy()
      return callback(new Error('the server has another certificate than the trusted one'), null)
    })
}
