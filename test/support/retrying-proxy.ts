import { once } from 'node:events'
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { roleOf } from './replicas.ts'

/**
 * Starts an HTTP proxy for several replicas, whose addresses can change. It sends each request to the next replica that is not
 * stopping. It tries another replica only if the connection is refused or the answer is 503, so it never repeats a request that
 * may have had an effect.
 */
export async function startRetryingProxy(urls: readonly string[]) {
  let next = 0

  /** Returns the answer, or `undefined` if the connection was refused. */
  const send = (replica: string, { method, url, headers }: IncomingMessage, body: Buffer) =>
    new Promise<IncomingMessage | undefined>((resolve, reject) => {
      const target = new URL(url!, replica)
      // Each request gets a new connection, because a kept one can end while a request is sent.
      const options = { method, headers: { ...headers, connection: 'close' }, agent: false }
      const request = requestHttp(target, options, resolve)
      request.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error),
      )
      request.end(body)
    })

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    while (!response.destroyed) {
      const replica = urls[next++ % urls.length]!
      const role = await roleOf(replica).catch(() => 'stopping')
      const answer = role === 'stopping' ? undefined : await send(replica, request, body)
      if (answer && answer.statusCode !== 503) {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.once('error', () => response.destroy())
        answer.pipe(response)
        return
      }
      answer?.resume()
    }
  }

  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
