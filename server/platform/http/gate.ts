import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Receives each request and each WebSocket before the app, and calls `handle` to pass it on. */
export interface Gate {
  onRequest(request: IncomingMessage, response: ServerResponse, handle: () => void): void
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, handle: () => void): void
}
