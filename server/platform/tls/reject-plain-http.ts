import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const TLS_HANDSHAKE = 0x16

/**
 * Answers plain HTTP requests to a TLS port with an explanation. Otherwise, the connection would just break. Closes a connection
 * if its first bytes, or a whole plain HTTP request, take longer than `timeoutMs`. Returns a function that closes every
 * connection, because Node's server does not know a connection until its first request over TLS.
 */
export function rejectPlainHttp(server: Server, timeoutMs: number): () => void {
  const plain = createServer(answer)
  const open = new Set<Socket>()
  const [startTls] = server.listeners('connection') as [(socket: Socket) => void]

  function accept(socket: Socket): void {
    const end = () => socket.destroy()
    // Closes the connection of a silent or slow client, because the server `plain` has no timeout.
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
      // Resumes the socket only once the server that gets it listens for data. Otherwise, the first bytes would be lost.
      process.nextTick(() => socket.resume())
    })
  }

  server.removeAllListeners('connection')
  server.on('connection', accept)
  return () => {
    for (const socket of open) socket.destroy()
  }
}

function answer({ headers }: IncomingMessage, response: ServerResponse): void {
  const host = /^[\w.\-[\]:]{1,255}$/.test(headers.host ?? '') ? headers.host : '<host>'
  const problem = {
    title: 'Bad Request',
    status: 400,
    detail: `This sandbox speaks https. Use https://${host} instead.`,
  }
  response.writeHead(400, { 'content-type': 'application/problem+json', connection: 'close' })
  response.end(JSON.stringify(problem))
}
