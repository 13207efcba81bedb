import { type HttpBindings, serve as serveFetch } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { Server as NetServer, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Gate } from '../platform/http/gate.ts'
import type { App } from '../platform/http/node-env.ts'
import { MAX_TUNNEL_BODY_BYTES } from '../domain/network/tunnel.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import type { Certificate } from '../platform/tls/certificate.ts'
import { rejectPlainHttp } from '../platform/tls/reject-plain-http.ts'

const PING_MS = 15_000
/** The maximum size of a frame. A listener sends the header fields and the body of a response in one frame. */
const MAX_FRAME_BYTES = MAX_TUNNEL_BODY_BYTES + 128 * 1024

/** Time limits for slow clients, in milliseconds. */
const TIMEOUTS = {
  /** How long the header of a request may take. */
  headersMs: 60_000,
  /** How long a whole request may take. */
  requestMs: 60_000,
  /** How often the two limits above are checked. */
  checkEveryMs: 30_000,
  /** How long a rejected WebSocket may take to close. */
  lingerMs: 5_000,
  /** How long the first byte of a TLS connection may take. */
  silenceMs: 60_000,
}

/**
 * Serves an app over HTTP and WebSocket, with TLS if there is a certificate. Resolves with the port when the server listens. A
 * gate decides which requests reach the app.
 */
export async function serve(
  app: App,
  host: string,
  port: number,
  tls?: Certificate,
  timeouts: Partial<typeof TIMEOUTS> = {},
  gate?: Gate,
) {
  const { headersMs, requestMs, checkEveryMs, lingerMs, silenceMs } = { ...TIMEOUTS, ...timeouts }
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  const server = serveFetch({
    fetch: (request, env) => {
      const response = app.fetch(request, env as HttpBindings)
      return request.method === 'HEAD' ? unlessSent(response, env as HttpBindings) : response
    },
    hostname: host,
    port,
    websocket: { server: sockets },
    overrideGlobalObjects: false,
    ...(tls && { createServer: createTlsServer }),
    serverOptions: {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      // Long, because a call is lost if it is sent while the server closes an idle connection.
      keepAliveTimeout: 65_000,
      ...(tls && { cert: tls.cert, key: tls.key }),
    },
  }) as Server
  const endOverTls = tls ? rejectPlainHttp(server, silenceMs) : () => {}
  const endUpgraded = handleUpgrades(server, sockets, lingerMs, gate)
  if (gate) askBeforeRequests(server, gate)
  if (!server.listening) await untilListening(server, host, port)

  const pings = startPings(sockets)
  const closeWebSockets = (): void => {
    for (const socket of sockets.clients) socket.terminate()
  }
  let closed: Promise<unknown> | undefined
  /** Refuses new connections. Open ones continue. */
  async function stopListening(): Promise<void> {
    // Accepts waiting connections first, because closing the server resets them.
    await new Promise((resolve) => void setImmediate(resolve))
    if (closed) return
    // `close` fires after the last socket has closed. Errors are ignored here: nothing awaits this promise yet, so a rejection
    // would be unhandled.
    closed = once(server, 'close').catch(() => undefined)
    // Calls the method of `net.Server`, because the same method of Node's HTTP server would also close connections whose first
    // request was not read yet. In other runtimes, such as Bun, an HTTP server is not a `net.Server`.
    if ((server as object) instanceof NetServer) NetServer.prototype.close.call(server)
    else server.close()
  }

  return {
    port: (server.address() as AddressInfo).port,
    closeWebSockets,
    stopListening,
    async close(): Promise<void> {
      await stopListening()
      clearInterval(pings)
      closeWebSockets()
      sockets.close()
      server.close()
      server.closeAllConnections()
      endUpgraded()
      endOverTls()
      await closed
    },
  }
}

/**
 * Returns the response, unless a handler has already written one. Hono copies the response to HEAD. If the program has replaced the
 * global class `Response`, as `@hono/node-server` does by default, the copy of `RESPONSE_ALREADY_SENT` would be sent as well.
 */
async function unlessSent(
  response: Response | Promise<Response>,
  { outgoing }: HttpBindings,
): Promise<Response> {
  const answer = await response
  return outgoing.headersSent ? RESPONSE_ALREADY_SENT : answer
}

async function untilListening(server: Server, host: string, port: number): Promise<void> {
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new UsageError(
        (option) =>
          `Port ${port} is taken. Set ${option('port')} to another one (0 picks a free one), or stop what listens there.`,
      )
    }
    if (code === 'EACCES') {
      throw new UsageError(
        (option) => `This user may not listen on port ${port}. Set ${option('port')} to a port above 1023.`,
      )
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      (option) =>
        `Cannot listen on ${host} port ${port}: ${reason}. Correct ${option('host')} or ${option('port')}.`,
    )
  }
}

/** The paths of WebSockets. An upgrade on any other path is ignored. */
const WEB_SOCKET = /^\/_sandbox\/v1\/(?:stream|tunnels\/[^/?]+\/listen)(?:\?|$)/

/**
 * Lets only the WebSocket paths upgrade. Node passes every upgrade request to the `upgrade` listeners, but a client that offers
 * HTTP/2 in its first request must get an ordinary response. Returns a function that closes connections whose upgrade is still
 * undecided.
 */
function handleUpgrades(
  server: Server,
  sockets: WebSocketServer,
  lingerMs: number,
  gate: Gate | undefined,
): () => void {
  // Replaces the listener of node-server and calls it from here, because it rejects other upgrades only if it is the only
  // listener.
  const upgradeToWebSocket = server.listeners('upgrade')[0] as UpgradeListener
  const undecided = new Set<Duplex>()
  sockets.on('connection', (_socket, { socket }: IncomingMessage) => undecided.delete(socket))
  server.removeAllListeners('upgrade')
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isForWebSocket(request)) {
      handleWithoutUpgrade(server, request, socket, head)
      return
    }
    const handle = (): void => {
      undecided.add(socket)
      socket.once('finish', () => undecided.has(socket) && discardAndClose(socket, lingerMs))
      socket.once('close', () => undecided.delete(socket))
      upgradeToWebSocket(request, socket, head)
    }
    if (gate) gate.onUpgrade(request, socket, head, handle)
    else handle()
  })
  return () => {
    for (const socket of undecided) socket.destroy()
  }
}

function askBeforeRequests(server: Server, gate: Gate): void {
  const handle = server.listeners('request')[0] as (
    request: IncomingMessage,
    response: ServerResponse,
  ) => void
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    gate.onRequest(request, response, () => handle(request, response)),
  )
}

const isForWebSocket = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  WEB_SOCKET.test(url) &&
  // The code below parses the host as part of a URL. Without this check, it would throw.
  URL.canParse(`http://${headers.host}`)

/**
 * Discards what a rejected socket sends, and closes the socket after `lingerMs`. Node must read from a socket to notice that the
 * other side has closed it.
 */
function discardAndClose(socket: Duplex, lingerMs: number): void {
  socket.resume()
  const lingering = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(lingering))
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

function handleWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, headers, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  if (/\bclose\b/i.test(headers.connection ?? '')) lines.push('Connection: close')
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  // On a TLS server, this event passes a decrypted connection to the HTTP code.
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket)
}

const UPGRADE_HEADERS = new Set(['upgrade', 'connection', 'http2-settings'])

/** Pings every socket. Closes a socket if it has not answered the previous ping. */
function startPings(sockets: WebSocketServer): NodeJS.Timeout {
  const waiting = new WeakSet<WebSocket>()
  sockets.on('connection', (socket) => socket.on('pong', () => waiting.delete(socket)))
  return setInterval(() => {
    for (const socket of sockets.clients) {
      if (waiting.has(socket)) socket.terminate()
      else {
        waiting.add(socket)
        socket.ping()
      }
    }
  }, PING_MS).unref()
}
