import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Starts a load balancer for processes on this machine. It gives each connection to the next process that accepts it. */
export async function startBalancer(ports: readonly number[]) {
  const sockets = new Set<Socket>()
  let next = 0

  function forward(client: Socket, left: number): void {
    const upstream = connect(ports[next++ % ports.length]!, '127.0.0.1')
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
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close(): void {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
