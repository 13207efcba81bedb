import type { Context } from 'hono'
import type { BaseUrl } from '../../platform/http/base-url.ts'
import { incomingHeaders, type NodeEnv } from '../../platform/http/node-env.ts'
import { rawHeaders } from '../../platform/http/raw-headers.ts'
import { readBody } from '../../platform/http/read-body.ts'
import { requestTarget } from '../../platform/http/request-target.ts'
import type { Call } from './call.ts'
import { RawBody } from './raw-body.ts'

export const PREFIX = '/api/v2/'

/** Reads a call from its request. */
export async function readCall(c: Context<NodeEnv>, baseUrl: BaseUrl): Promise<Call> {
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
