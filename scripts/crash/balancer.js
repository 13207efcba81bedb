import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * Starts a load balancer for processes on this machine. It gives each connection to the next one that accepts it.
 *
 * @param {readonly number[]} ports
 */
export async function startBalancer(ports) {
  let next = 0
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()

  /** @type {(client: import('node:net').Socket, left: number) => void} */
  function forward(client, left) {
    const upstream = connect(ports[next++ % ports.length] ?? 0, '127.0.0.1')
    let isConnected = false
    upstream.once('connect', () => {
      isConnected = true
      client.pipe(upstream).pipe(client)
    })
    upstream.on('error', () => {})
    upstream.once('close', () => {
      if (isConnected || left === 0 || client.destroyed) client.destroy()
      else forward(client, left - 1)
    })
    client.once('close', () => upstream.destroy())
  }

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.once('close', () => sockets.delete(client))
    forward(client, ports.length)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
