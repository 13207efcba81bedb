import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** An answer of the v2 API that a test changes in place. */
export interface ChangeableAnswer {
  readonly operation: string
  readonly token: string | undefined
  /** The request body, `{}` if it was not sent as JSON. */
  readonly request: Record<string, unknown>
  status: number
  headers: Record<string, string>
  envelope: Record<string, unknown> & { data?: Record<string, unknown> }
  /** Sent instead of the envelope. */
  text?: string
  /** Sends half of the body, and then closes the connection. */
  isCut?: boolean
}

/** Starts a proxy before a sandbox that changes its answers. It counts the calls. */
export async function startChangingProxy(target: string, change: (answer: ChangeableAnswer) => void) {
  const calls: { readonly method: string; readonly operation: string }[] = []
  const server = createServer((request, response) => void forward(request, response))

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const { method = '', url = '' } = request
    const operation = url.replace('/api/v2/', '')
    calls.push({ method, operation })
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      ['token', 'content-type'].includes(name) ? [[name, String(value)]] : [],
    )
    const real = await fetch(target + url, { method, headers, ...(method === 'POST' ? { body } : {}) })
    const answer: ChangeableAnswer = {
      operation,
      token: request.headers.token as string | undefined,
      request: request.headers['content-type'] === 'application/json' ? parse(body.toString()) : {},
      status: real.status,
      headers: { 'content-type': real.headers.get('content-type') ?? '' },
      envelope: (await real.json()) as ChangeableAnswer['envelope'],
    }
    change(answer)
    const text = Buffer.from(answer.text ?? JSON.stringify(answer.envelope))
    response.writeHead(answer.status, { ...answer.headers, 'content-length': text.length })
    if (answer.isCut) response.write(text.subarray(0, text.length / 2), () => response.destroy())
    else response.end(text)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}
