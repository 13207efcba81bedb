import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface RawReceived {
  readonly method: string
  readonly url: string
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[]
  readonly bytes: Buffer
}

/** Starts an app that keeps requests as raw bytes. */
export async function startRawReceiver(
  answer: (response: ServerResponse, received: RawReceived) => void = (response) => response.end(),
  port = 0,
) {
  const received: RawReceived[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', rawHeaders } = request
    const one = { method, url, rawHeaders, bytes: await buffer(request) }
    received.push(one)
    answer(response, one)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose](): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
