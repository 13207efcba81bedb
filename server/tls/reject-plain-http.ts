import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const TLS_HANDSHAKE = 0x16

/**
 * Whoever speaks plain HTTP to a TLS port is told so, and not left with a broken connection. Gives what ends
 * every connection, as a server knows nothing of those that have not come to a request over TLS. In `patienceMs` a
 * connection has to say what it speaks, and one of plain HTTP to ask.
 */
export function rejectPlainHttp(server: Server, timeoutMs: number): () => void {
  const plain = createServer(answer)
  const open = new Set<Socket>()
  const [startTls] = server.listeners('connection') as [(socket: Socket) => void]

  function take(socket: Socket): void {
    const end = () => socket.destroy()
    // Nobody may keep a connection by saying nothing, or by saying it slowly. `plain` does not look after that.
    const late = setTimeout(end, timeoutMs).unref()
    open.add(socket)
    socket.once('close', () => {
      clearTimeout(late)
      open.delete(socket)
    })
    socket.on('error', end)
    socket.once('data', (first: Buffer) => {
      const isTls = first[0] === TLS_HANDSHAKE
      if (isTls) clearTimeout(late)
      socket.pause()
      socket.unshift(first)
      if (isTls) startTls.call(server, socket)
      else plain.emit('connection', socket)
      // Only once its new owner reads, or the first bytes would be lost on the way.
      process.nextTick(() => socket.resume())
    })
  }

  server.removeAllListeners('connection')
  server.on('connection', take)
  return () => {
    for (const socket of open) socket.destroy()
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
