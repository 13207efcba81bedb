import { reasonOf } from '../../domain/text/reason-of.ts'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeBody, pairHeaders, textBody, type Exchange } from '../../domain/http/exchange.ts'
import { MAX_BODY_BYTES } from '../../domain/http/limits.ts'
import { readUpTo } from '../../platform/http/read-up-to.ts'
import { UsageError } from '../../domain/text/usage-error.ts'

export type ServerReply = readonly [status: number, text: string]

/** Responds to a request, possibly after a wait. `at` is when the request arrived, according to `performance.now()`. */
type Answerer = (request: Exchange['request'], at: number) => Promise<ServerReply>

/** Starts the server on this machine that receives redirects and webhooks. `answer` is called for each of them. */
export async function startPaymentServer(port: number, answer: Answerer) {
  const server = createServer(
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  )

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now()
    const { bytes, tooLarge } = await readUpTo(incoming, MAX_BODY_BYTES)
    const { method = '', url = '', rawHeaders } = incoming
    const body = encodeBody(bytes, bytes.length + (tooLarge ? 1 : 0))
    const request = {
      method,
      url: `http://${incoming.headers.host ?? 'localhost'}${url}`,
      headers: pairHeaders(rawHeaders),
      body,
    }
    const [status, text] = await answer(request, at)
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
  }

  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(
      `calibrate cannot listen on port ${port} of this machine: ${reasonOf(error)}. Pass another port with --port.`,
    )
  }
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose](): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export const textAnswer = (status: number, text: string): Exchange['response'] => ({
  status,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body: textBody(`${text}\n`),
})
