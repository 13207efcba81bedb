import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createCondition } from './condition.ts'

export interface Received {
  readonly path: string
  readonly rawHeaders: readonly string[]
  readonly contentType: string
  readonly body: string
  /** The decoded pairs of a form body. */
  readonly pairs: Record<string, string>
}

type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => void

/** Starts a webhook endpoint that keeps what it received. */
export async function startReceiver(
  answer: Answer = (_received, response) => response.end(),
  host = '127.0.0.1',
  at = 0,
) {
  const received: Received[] = []
  const { notify, until } = createCondition()
  const server = createServer((request, response) => void take(request, response))

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A sandbox with a short timeout may close the connection before the whole body has arrived.
    const body = (await buffer(request).catch(() => undefined))?.toString()
    if (body === undefined) return
    const one: Received = {
      path: request.url ?? '',
      rawHeaders: request.rawHeaders,
      contentType: request.headers['content-type'] ?? '',
      body,
      pairs: Object.fromEntries(new URLSearchParams(body)),
    }
    received.push(one)
    notify()
    answer(one, response, request)
  }

  server.listen(at, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`

  return {
    port,
    origin,
    url: `${origin}/webhook`,
    received,
    /** Resolves once this many requests have arrived. */
    count: (wanted: number): Promise<void> => until(() => received.length >= wanted),
    async [Symbol.asyncDispose](): Promise<void> {
      server.close()
      server.closeAllConnections()
    },
  }
}
