import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Sees each request and each WebSocket before the app. Calls `handle` to let the app handle it. */
export interface Gate {
  onRequest(request: IncomingMessage, response: ServerResponse, handle: () => void): void
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, handle: () => void): void
}
