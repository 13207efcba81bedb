import { once } from 'node:events'
import { request as requestHttp, type Agent, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { arrayBuffer, json, text } from 'node:stream/consumers'
import type { Fetch, FetchOptions } from '../../domain/http/fetch.ts'

/**
 * Sends a request with Node's own client. The global `fetch` could send requests for this machine to a proxy, and test
 * environments replace it. Does not follow redirects.
 */
export async function sendRequest(
  agent: Agent,
  url: string,
  { method = 'GET', headers = {}, body, signal }: FetchOptions = {},
): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const request = send(url, { method, headers, agent, ...(signal && { signal: signal as AbortSignal }) })
  // Once the header has arrived, an error of the request also ends the response, so whoever reads the response learns of it.
  request.on('error', () => {})
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

/** A `fetch` that uses an agent. */
export const createFetch =
  (agent: Agent): Fetch =>
  async (url, options) => {
    const response = await sendRequest(agent, url, options)
    const { statusCode: status = 0, statusMessage: statusText = '' } = response
    // Frees the connection, because nobody reads the empty body.
    if (status === 204) response.resume()
    return {
      ok: status >= 200 && status < 300,
      status,
      statusText,
      headers: { get: (name) => [response.headers[name] ?? []].flat().join(', ') || null },
      json: () => json(response),
      text: () => text(response),
      arrayBuffer: () => arrayBuffer(response),
    }
  }
