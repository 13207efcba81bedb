import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { LOCAL_HEADER, type Upstream } from '../../domain/api/upstream.ts'
import type { BaseUrl } from '../../platform/http/base-url.ts'
import { writeForeignAnswer } from '../../platform/http/foreign-answer.ts'
import { incomingHeaders, type NodeEnv } from '../../platform/http/node-env.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import { databaseTroubleOf, failureStatus, isOutcomeUnknown } from '../../store/database-error.ts'
import type { Store } from '../../store/store.ts'
import { answerCall } from './answer-call.ts'
import type { CallResponse } from './call.ts'
import { failure, JSON_TYPE } from './envelope.ts'
import { createResponse } from './create-response.ts'
import { PREFIX, readCall } from './read-call.ts'
import { sendResponse } from './send-response.ts'
import { handleUpstreamCall } from './upstream/handle-upstream-call.ts'

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
    const call = await readCall(c, baseUrl)
    if (upstream !== undefined && incomingHeaders(c).headers[LOCAL_HEADER] === undefined) {
      // `call.path` has dots resolved and some characters escaped. The upstream gets the path as it was sent, if it can.
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

/** The response to a call that the sandbox itself failed to handle. The call is not recorded. */
function internalError(error: unknown, now: Instant): CallResponse {
  const trouble = databaseTroubleOf(error)
  const message = trouble
    ? `${isOutcomeUnknown(error) ? 'It is not known whether this was done' : 'Nothing was done'}: the sandbox cannot use its database, ${trouble.what}. ${trouble.advice}, then call again`
    : 'The sandbox failed. Its log has the reason'
  const { status, headers } = failureStatus(error)
  return createResponse(
    status,
    { 'content-type': JSON_TYPE, ...headers },
    JSON.stringify(failure(message, now)),
    undefined,
  )
}
