import { setTimeout as wait } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import type { BaseUrl } from '../http/base-url.ts'
import type { NodeEnv } from '../http/node-env.ts'
import { rawHeaders } from '../http/raw-headers.ts'
import { readBody } from '../http/read-body.ts'
import { requestTarget } from '../http/request-target.ts'
import type { Store } from '../store/store.ts'
import { abortResponse } from './abort-response.ts'
import { handleCall, internalError } from './handle-call.ts'
import type { CallResponse } from './call.ts'
import { RawBody } from './body.ts'

const PREFIX = '/api/v2/'

/** The emulated service, version 2: whatever comes in under its prefix is answered in its envelope. */
export function api(store: Store, baseUrl: BaseUrl, onError: (error: unknown) => void) {
  const app = new Hono<NodeEnv>()

  app.all('*', async (c) => {
    const { bytes, tooLarge } = await readBody(c)
    const { target, path } = requestTarget(c)
    const { headers } = c.env.incoming
    const answer = await handleCall(store, {
      operation: path.slice(PREFIX.length),
      method: c.req.method,
      path: target,
      url: c.req.url,
      token: String(headers.token ?? ''),
      headers: rawHeaders(c),
      body: new RawBody(headers['content-type'] ?? '', bytes, tooLarge),
      baseUrl: baseUrl(c),
    })
    if (answer.lateMs !== undefined) await wait(answer.lateMs, undefined, { ref: false })
    return answer.breaks === undefined ? send(c, answer) : abortResponse(c, answer)
  })
  app.onError((error, c) => {
    onError(error)
    return send(c, internalError(error, store.now().toISOString()))
  })
  return app
}

/** Past Hono, as making a Response object of an answer and reading that takes as long as half a call. */
function send({ env: { outgoing } }: Context<NodeEnv>, { status, headers, text }: CallResponse): Response {
  outgoing.writeHead(status, {
    ...headers,
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(text),
  })
  outgoing.end(text)
  return RESPONSE_ALREADY_SENT
}
