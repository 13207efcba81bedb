import type { Context } from 'hono'
import { createDiagnostic } from '../../domain/diagnostics/diagnostic.ts'
import { noSubject } from '../../domain/links/subject.ts'
import { encodeBody, textBody } from '../../domain/http/exchange.ts'
import { findClosestMatch } from '../../domain/text/closest-match.ts'
import { operations } from '../../domain/api/operations.ts'
import { roundMs } from '../../domain/time/berlin-time.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { rawHeaders, readBody, requestTarget } from '../../platform/http/read-request.ts'
import type { Store } from '../../store/store.ts'

const STATUS = 404

/**
 * Answers a request that matches no route. If it was probably meant for the API, it is recorded with the correct path, because
 * many first calls use a wrong base URL.
 */
export async function handleNotFound(store: Store, c: Context<NodeEnv>): Promise<Response> {
  const started = performance.now()
  const { target, path } = requestTarget(c)
  const match = path.split('/').flatMap((segment) => findClosestMatch(segment, operations) ?? [])[0]
  if (match === undefined) return c.text(`There is nothing at ${path}.\n`, STATUS)

  const text = `There is nothing at ${path}. Did you mean POST /api/v2/${match}?\n`
  const { bytes } = await readBody(c)
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'sandbox-diagnostics': 'wrongOperation' }
  const { method, url } = c.req
  await store.transact(async (work) => {
    const ms = roundMs(performance.now() - started)
    const of = await work.record(
      {
        type: 'api.request',
        ...noSubject,
        operation: path.slice(1),
        method,
        path: target,
        status: STATUS,
        code: 0,
        message: text.trim(),
        ms,
        processingMs: ms,
        assumed: [],
      },
      {
        request: { method, url, headers: rawHeaders(c), body: encodeBody(bytes) },
        response: { status: STATUS, headers: Object.entries(headers), body: textBody(text) },
      },
    )
    const observed = `${method} ${path}; the nearest is POST /api/v2/${match}`
    await work.record({
      type: 'diagnostic.found',
      ...noSubject,
      ...createDiagnostic('wrongOperation', observed),
      eventSeq: of,
    })
  })
  return c.body(text, STATUS, headers)
}
