import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { LOCAL_HEADER, type Upstream } from '../../domain/api/upstream.ts'
import type { BaseUrl } from '../../platform/http/base-url.ts'
import { writeForeignAnswer } from '../../platform/http/foreign-answer.ts'
import { incomingHeaders, type NodeEnv } from '../../platform/http/node-env.ts'
import { rawHeaders } from '../../platform/http/raw-headers.ts'
import { readBody } from '../../platform/http/read-body.ts'
import { requestTarget } from '../../platform/http/request-target.ts'
import type { Store } from '../../store/store.ts'
import { RawBody } from './raw-body.ts'
import type { Call } from './call.ts'
import { answerCall } from './answer-call.ts'
import { internalError } from './internal-error.ts'
import { sendResponse } from './send-response.ts'
import { handleUpstreamCall } from './upstream/handle-upstream-call.ts'

const PREFIX = '/api/v2/'

/**
 * Answers the calls of the v2 API, or lets the upstream answer them. Every answer of the sandbox has the envelope of the
 * service.
 */
export function api(
  store: Store,
  baseUrl: BaseUrl,
  onError: (error: unknown) => void,
  upstream: Upstream | undefined,
) {
  const app = new Hono<NodeEnv>()

  app.all('*', async (c) => {
    const { bytes, tooLarge } = await readBody(c)
    const { target, path } = requestTarget(c)
    const { headers } = incomingHeaders(c)
    const call: Call = {
      operation: path.slice(PREFIX.length),
      method: c.req.method,
      path: target,
      url: c.req.url,
      token: String(headers.token ?? ''),
      headers: rawHeaders(c),
      body: new RawBody(
        { contentType: headers['content-type'], contentEncoding: headers['content-encoding'] },
        bytes,
        tooLarge,
      ),
      baseUrl: baseUrl(c),
    }
    if (upstream !== undefined && headers[LOCAL_HEADER] === undefined) {
      // `target` has dots resolved and some characters escaped. The upstream gets the path as it was sent, if it can.
      const { url = '' } = c.env.incoming
      const sent = { ...call, path: url.startsWith(PREFIX) ? url : target }
      return writeForeignAnswer(c, await handleUpstreamCall(store, upstream, sent, onError))
    }
    const response = await answerCall(store, call)
    if (response.delayMs > 0) await wait(response.delayMs, undefined, { ref: false })
    return sendResponse(c, response)
  })
  app.onError((error, c) => {
    onError(error)
    return sendResponse(c, internalError(error, store.now().toISOString()))
  })
  return app
}
