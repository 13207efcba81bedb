import { setTimeout as wait } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import { LOCAL_HEADER, type Upstream } from '../../domain/api/upstream.ts'
import type { BaseUrl } from '../../platform/http/base-url.ts'
import { writeForeignAnswer } from '../../platform/http/foreign-answer.ts'
import { LightResponse } from '../../platform/http/light-response.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { incomingHeaders, rawHeaders, readBody, requestTarget } from '../../platform/http/read-request.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import {
  databaseTroubleOf,
  failureStatus,
  INTERNAL_FAILURE,
  isOutcomeUnknown,
} from '../../store/database-error.ts'
import type { Store } from '../../store/store.ts'
import { answerCall } from './answer-call.ts'
import type { Call, CallResponse } from './call.ts'
import { failure, JSON_TYPE } from './envelope.ts'
import { createResponse } from './create-response.ts'
import { RawBody } from './raw-body.ts'
import { handleUpstreamCall } from './upstream/handle-upstream-call.ts'

const PREFIX = '/api/v2/'

/**
 * Answers the calls of the v2 API, or forwards them to the upstream. Every response of the sandbox has the envelope of the
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
    const call = await readCall(c, baseUrl)
    if (upstream !== undefined && incomingHeaders(c).headers[LOCAL_HEADER] === undefined) {
      // In `call.path`, dots are resolved and some characters are escaped. The upstream gets the original path, if possible.
      const { url = '' } = c.env.incoming
      const sent = { ...call, path: url.startsWith(PREFIX) ? url : call.path }
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

/** Reads a call from its request. */
async function readCall(c: Context<NodeEnv>, baseUrl: BaseUrl): Promise<Call> {
  const { bytes, tooLarge } = await readBody(c)
  const { target, path } = requestTarget(c)
  const { headers } = incomingHeaders(c)
  return {
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
}

/** Sends a response completely, or as far as a fault allows. */
function sendResponse(c: Context<NodeEnv>, { status, headers, text, sent }: CallResponse): Response {
  const fields = {
    ...headers,
    'x-content-type-options': 'nosniff',
    'content-length': String(Buffer.byteLength(text)),
  }
  return sent === text
    ? new LightResponse(text, { status, headers: fields })
    : abortResponse(c, status, fields, sent)
}

/** Breaks the connection before the first byte or in the middle of the body. Only Node's own response object can do this. */
function abortResponse(
  { env: { outgoing }, req }: Context<NodeEnv>,
  status: number,
  headers: Record<string, string>,
  sent: string | null,
): Response {
  // The response to HEAD has no body to cut, so its connection is reset.
  if (sent === null || req.method === 'HEAD') outgoing.socket?.resetAndDestroy()
  else outgoing.writeHead(status, headers).write(sent, () => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}

/** The response to a call that the sandbox itself failed to handle. The call is not recorded. */
function internalError(error: unknown, now: Instant): CallResponse {
  const trouble = databaseTroubleOf(error)
  const message = trouble
    ? `${isOutcomeUnknown(error) ? 'It is not known whether this was done' : 'Nothing was done'}: the sandbox cannot use its database, ${trouble.what}. ${trouble.advice}, then call again`
    : INTERNAL_FAILURE
  const { status, headers } = failureStatus(error)
  return createResponse(
    status,
    { 'content-type': JSON_TYPE, ...headers },
    JSON.stringify(failure(message, now)),
    undefined,
  )
}
