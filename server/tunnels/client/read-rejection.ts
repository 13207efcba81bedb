import { once } from 'node:events'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { json } from 'node:stream/consumers'

const PATIENCE_MS = 10_000

/** What a problem of this status says in words. `undefined` where the answer is none. */
export async function readRefusal(
  url: string,
  how: RequestOptions,
  status: number,
): Promise<string | undefined> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const request = send(url, { ...how, agent: false, signal: AbortSignal.timeout(PATIENCE_MS) })
  // It can break off after its header as well.
  request.on('error', () => {})
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const problem = (await json(response)) as { readonly detail?: unknown } | null
  return response.statusCode === status && typeof problem?.detail === 'string' ? problem.detail : undefined
}
