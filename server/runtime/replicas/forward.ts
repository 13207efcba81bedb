import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline, type Duplex } from 'node:stream'
import { MARK } from './forwarded-mark.ts'
import { responseHeaders, type LeaderConnection } from './forward-to-leader.ts'

/** Functions that end open forwarded requests. */
interface ForwardedRequests {
  add(end: () => void): void
  delete(end: () => void): void
}

/**
 * Forwards a request, and passes the response back. Resolves with `false` if the leader did not accept the request, which can
 * then be forwarded again. If the connection breaks later, closes the client's connection, because it is unknown whether the
 * request was handled.
 */
export function forwardRequest(
  leader: LeaderConnection,
  url: string,
  request: IncomingMessage,
  body: Buffer | undefined,
  response: ServerResponse,
  open: ForwardedRequests,
): Promise<boolean> {
  return new Promise((resolve) => {
    const upstream = leader.open(url, request, false, (wasSent) => {
      if (wasSent) response.destroy()
      resolve(wasSent || response.destroyed)
    })
    const end = (): void => void upstream.destroy()
    const endWithClient = (): void => void (response.writableFinished || end())
    open.add(end)
    response.once('close', endWithClient)
    upstream.once('close', () => {
      open.delete(end)
      response.off('close', endWithClient)
    })
    upstream.once('response', (answer) => {
      if (answer.headers[MARK.toLowerCase()] !== undefined) {
        upstream.destroy()
        resolve(false)
        return
      }
      response.writeHead(answer.statusCode!, answer.statusMessage, responseHeaders(answer))
      response.flushHeaders()
      // If the response is incomplete, `pipeline` closes the client's connection.
      pipeline(answer, response, () => resolve(true))
    })
    if (body) upstream.end(body)
    else request.pipe(upstream)
  })
}

/**
 * Forwards a WebSocket. If the leader rejects it, passes the response back. Resolves with `false` if the leader did not accept
 * the request.
 */
export function forwardUpgrade(
  leader: LeaderConnection,
  url: string,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  open: ForwardedRequests,
): Promise<boolean> {
  return new Promise((resolve) => {
    let leaderSocket: Duplex | undefined
    const end = (): void => {
      upstream.destroy()
      leaderSocket?.destroy()
      socket.destroy()
      open.delete(end)
    }
    const letGo = (): void => {
      socket.off('close', end)
      open.delete(end)
    }
    const upstream = leader.open(url, request, true, (wasSent) => {
      letGo()
      if (wasSent) socket.destroy()
      resolve(wasSent || socket.destroyed)
    })
    open.add(end)
    socket.once('close', end)
    upstream.once('response', (answer) => {
      if (answer.headers[MARK.toLowerCase()] !== undefined) {
        letGo()
        upstream.destroy()
        resolve(false)
        return
      }
      socket.write(headOf(answer, [...responseHeaders(answer), 'Connection', 'close']))
      answer.once('error', end)
      answer.pipe(socket)
      resolve(true)
    })
    upstream.once('upgrade', (answer, connected, leaderHead) => {
      leaderSocket = connected
      connected.on('error', end)
      connected.once('close', end)
      socket.write(headOf(answer, answer.rawHeaders))
      if (leaderHead.length > 0) socket.write(leaderHead)
      if (head.length > 0) connected.write(head)
      socket.pipe(connected).pipe(socket)
      resolve(true)
    })
    upstream.end()
  })
}

function headOf({ statusCode, statusMessage }: IncomingMessage, headers: readonly string[]): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage ?? STATUS_CODES[statusCode ?? 0]}`]
  for (let index = 0; index < headers.length; index += 2) {
    lines.push(`${headers[index]}: ${headers[index + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
