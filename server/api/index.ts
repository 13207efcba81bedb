import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import type { BaseUrl } from '../http/base-url.ts'
import type { NodeEnv } from '../http/node-env.ts'
import { rawHeaders } from '../http/raw-headers.ts'
import { readBody } from '../http/read-body.ts'
import { requestTarget } from '../http/request-target.ts'
import type { Store } from '../store/store.ts'
import { RawBody } from './body.ts'
import { handleCall } from './handle-call.ts'
import { internalError } from './internal-error.ts'
import { sendResponse } from './send-response.ts'

const PREFIX = '/api/v2/'

/** The emulated service, version 2. Every answer below its prefix has the envelope of the service. */
export function api(store: Store, baseUrl: BaseUrl, onError: (error: unknown) => void) {
  const app = new Hono<NodeEnv>()

  app.all('*', async (c) => {
    const { bytes, tooLarge } = await readBody(c)
    const { target, path } = requestTarget(c)
    const { headers } = c.env.incoming
    const response = await handleCall(store, {
      operation: path.slice(PREFIX.length),
      method: c.req.method,
      path: target,
      url: c.req.url,
      token: String(headers.token ?? ''),
      headers: rawHeaders(c),
      body: new RawBody(headers['content-type'] ?? '', bytes, tooLarge),
      baseUrl: baseUrl(c),
    })
    if (response.delayMs > 0) await wait(response.delayMs, undefined, { ref: false })
    return sendResponse(c, response)
  })
  app.onError((error, c) => {
    onError(error)
    return sendResponse(c, internalError(error, store.now().toISOString()))
  })
  return app
}
