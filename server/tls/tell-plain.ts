import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const TLS_HANDSHAKE = 0x16
const SILENCE_MS = 60_000

/**
 * Whoever speaks plain HTTP to a TLS port is told so, and not left with a broken connection. Gives what ends
 * the connections that the server knows nothing of yet.
 */
export function tellPlain(server: Server): () => void {
  const plain = createServer(answer)
  const undecided = new Set<Socket>()
  const [startTls] = server.listeners('connection') as [(socket: Socket) => void]

  function take(socket: Socket): void {
    const end = () => socket.destroy()
    undecided.add(socket)
    socket.once('close', () => undecided.delete(socket))
    socket.on('error', end)
    // Nobody may keep a connection by saying nothing.
    socket.setTimeout(SILENCE_MS, end)
    socket.once('data', (first: Buffer) => {
      undecided.delete(socket)
      socket.setTimeout(0)
      socket.off('timeout', end)
      socket.pause()
      socket.unshift(first)
      if (first[0] === TLS_HANDSHAKE) startTls.call(server, socket)
      else plain.emit('connection', socket)
      // Only once its new owner reads, or the first bytes would be lost on the way.
      process.nextTick(() => socket.resume())
    })
  }

  server.removeAllListeners('connection')
  server.on('connection', take)
  return () => {
    for (const socket of undecided) socket.destroy()
    plain.closeAllConnections()
  }
}

function answer({ headers }: IncomingMessage, response: ServerResponse): void {
  const host = /^[\w.\-[\]:]{1,255}$/.test(headers.host ?? '') ? headers.host : '<host>'
  const problem = {
    title: 'Not over TLS',
    status: 400,
    detail: `This sandbox speaks https. Ask https://${host} instead.`,
  }
  response.writeHead(400, { 'content-type': 'application/problem+json', connection: 'close' })
  response.end(JSON.stringify(problem))
}
