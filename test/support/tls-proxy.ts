import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { selfSignedCertificate } from '../../server/platform/tls/self-signed-certificate.ts'

/** Terminates TLS for a name in front of a server, like the reverse proxy of a team. */
export async function startTlsProxy(name: string, port: number) {
  const { cert, key, dispose } = await selfSignedCertificate(':memory:', [name])
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer({ cert, key }, (outside) => {
    const inside = connect(port, '127.0.0.1')
    outside.pipe(inside).pipe(outside)
    for (const socket of [outside, inside]) {
      sockets.add(socket)
      socket.on('error', () => {
        outside.destroy()
        inside.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    cert,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await dispose()
    },
  }
}
