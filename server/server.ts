import { serve as serveFetch } from '@hono/node-server'
import type { Hono } from 'hono'
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { WebSocketServer, type WebSocket } from 'ws'
import type { NodeEnv } from './http/node-env.ts'
import { MIB } from './http/read-body.ts'
import { UsageError } from './domain/text/usage-error.ts'
import type { Certificate } from './tls/certificate.ts'
import { rejectPlainHttp } from './tls/reject-plain-http.ts'

const PING_MS = 15_000
/** What a listener sends back has an answer's body in it, and its header fields. */
const MAX_FRAME_BYTES = MIB + 128 * 1024

/** How long a client may take, in milliseconds: it may be slow, but not for ever. */
const TIMEOUTS = {
  /** From its first byte to the end of its header. */
  headersMs: 60_000,
  /** To the end of its body. */
  requestMs: 60_000,
  /** How often those two are looked at. */
  checkEveryMs: 30_000,
  /** To read why it was refused a WebSocket, and to hang up. */
  lingerMs: 5_000,
  /** To say over TLS what it speaks. */
  silenceMs: 60_000,
}

/** Serves an app over HTTP and WebSocket, and TLS with a certificate. Resolves once it listens, with the port it got. */
export async function serve(
  app: Hono<NodeEnv>,
  host: string,
  port: number,
  tls?: Certificate,
  patience: Partial<typeof TIMEOUTS> = {},
) {
  const { headersMs, requestMs, checkEveryMs, lingerMs, silenceMs } = { ...TIMEOUTS, ...patience }
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  const server = serveFetch({
    fetch: app.fetch,
    hostname: host,
    port,
    websocket: { server: sockets },
    overrideGlobalObjects: false,
    ...(tls && { createServer: createTlsServer }),
    serverOptions: {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      // Rarely ours to close: a call that is sent on a connection just as that is closed is lost.
      keepAliveTimeout: 65_000,
      ...(tls && { cert: tls.cert, key: tls.key }),
    },
  }) as Server
  const endOverTls = tls ? rejectPlainHttp(server, silenceMs) : () => {}
  const endUpgraded = handleUpgrades(server, sockets, lingerMs)
  if (!server.listening) await listening(server, host, port)

  const pings = startPings(sockets)
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      clearInterval(pings)
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      endUpgraded()
      endOverTls()
      await closed
    },
  }
}

async function listening(server: Server, host: string, port: number): Promise<void> {
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
        (option) => `This user may not listen on port ${port}. Set ${option('port')} to one above 1023.`,
      )
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      (option) =>
        `Cannot listen on ${host} port ${port}: ${reason}. Correct ${option('host')} or ${option('port')}.`,
    )
  }
}

/** The only addresses that are WebSockets. Whatever else is asked for is answered as if no upgrade had been offered. */
const WEB_SOCKET = /^\/_sandbox\/v1\/(?:stream|tunnels\/[^/?]+\/listen)(?:\?|$)/

/**
 * Node hands every request that offers an upgrade to the listener for them, and waits. Some clients offer
 * HTTP/2 with every first request; they are answered as if they had not. Gives what ends all that were taken.
 */
function handleUpgrades(server: Server, sockets: WebSocketServer, lingerMs: number): () => void {
  // Put around the listener that is there, as that one turns sockets away only while it is alone.
  const upgradeToWebSocket = server.listeners('upgrade')[0] as UpgradeListener
  const undecided = new Set<Duplex>()
  sockets.on('connection', (_socket, { socket }: IncomingMessage) => undecided.delete(socket))
  server.removeAllListeners('upgrade')
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isForWebSocket(request)) {
      handleWithoutUpgrade(server, request, socket, head)
      return
    }
    undecided.add(socket)
    socket.once('finish', () => undecided.has(socket) && hangUp(socket, lingerMs))
    socket.once('close', () => undecided.delete(socket))
    upgradeToWebSocket(request, socket, head)
  })
  return () => {
    for (const socket of undecided) socket.destroy()
  }
}

const isForWebSocket = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  WEB_SOCKET.test(url) &&
  // The upgrade makes a URL of it, and fails where it is none.
  URL.canParse(`http://${headers.host}`)

/** Nobody reads what comes on a socket that was refused, so that its end would never be seen. */
function hangUp(socket: Duplex, lingerMs: number): void {
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
  // Of a TLS server that is where HTTP begins.
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket)
}

const UPGRADE_HEADERS = new Set(['upgrade', 'connection', 'http2-settings'])

/** A socket that does not answer a ping until the next one is dead, whatever it looks like. */
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
