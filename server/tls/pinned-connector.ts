import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'

/** Connects to whoever shows this very certificate, by whatever name, and to nobody else. */
export function createPinnedConnector(
  pem: string,
  options: buildConnector.BuildOptions = {},
): buildConnector.connector {
  const { fingerprint256 } = new X509Certificate(pem)
  // A session that goes on shows no certificate.
  const connect = buildConnector({ ...options, rejectUnauthorized: false, maxCachedSessions: 0 })
  return (target, callback) =>
    connect(target, (error, socket) => {
      if (error !== null) return callback(error, null)
      const shown = (socket as TLSSocket).getPeerCertificate?.()
      if (shown?.fingerprint256 === fingerprint256) return callback(null, socket)
      socket.destroy()
      return callback(new Error('another certificate than the one to trust'), null)
    })
}
