import { once } from 'node:events'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { json } from 'node:stream/consumers'

const TIMEOUT_MS = 10_000

/** Reads the detail of a problem with this status. Resolves with `undefined` for any other response. */
export async function readRejection(
  url: string,
  options: RequestOptions,
  status: number,
): Promise<string | undefined> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const request = send(url, {
    ...options,
    agent: options.agent ?? false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  // The connection can also fail after the header has arrived, when nothing awaits the request.
  request.on('error', () => {})
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const problem = (await json(response)) as { readonly detail?: unknown } | null
  return response.statusCode === status && typeof problem?.detail === 'string' ? problem.detail : undefined
}
