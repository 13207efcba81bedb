import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { MAX_JSON_DEPTH, MAX_JSON_KEYS, measureJson } from '../../domain/http/json-depth.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { MIB } from '../../domain/http/limits.ts'
import { readBody } from '../../platform/http/read-request.ts'
import { RawBody } from '../../service/api/raw-body.ts'
import { invalid, Problem } from './problem.ts'

/**
 * Reads the body before the route does, up to a size. A missing body counts as `{}`. Rejects a body of another media type,
 * because Hono's validator would silently ignore it.
 */
export const requireJson = (maxMebibytes: number, maxKeys = MAX_JSON_KEYS) =>
  createMiddleware<NodeEnv>(async (c, next) => {
    const hasBody = c.req.method !== 'GET' && c.req.method !== 'HEAD'
    // A route with a larger limit has a `requireJson` of its own, which has already read the body.
    if (hasBody && c.req.bodyCache.text === undefined) {
      const text = await readText(c, maxMebibytes)
      if (text !== '' && !JSON_TYPE.test(c.req.header('content-type') ?? '')) {
        throw new Problem(
          415,
          'The body is not JSON, according to its Content-Type. Send it as JSON, with Content-Type: application/json.',
        )
      }
      const { depth, keys } = measureJson(text)
      if (depth > MAX_JSON_DEPTH) {
        throw invalid(
          `The body is nested ${depth} levels deep. It may be nested at most ${MAX_JSON_DEPTH} levels deep.`,
        )
      }
      if (keys > maxKeys) {
        throw invalid(`The body has ${keys} keys. It may have at most ${maxKeys}.`)
      }
      // Hono's validator reads the text from this cache.
      Object.assign(c.req.bodyCache, { text: Promise.resolve(text === '' ? '{}' : text) })
    }
    await next()
  })

async function readText(c: Context<NodeEnv>, maxMebibytes: number): Promise<string> {
  const { bytes, tooLarge } = await readBody(c, maxMebibytes * MIB)
  if (tooLarge) throw new Problem(413, `The body is too large. It may have at most ${maxMebibytes} MiB.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const [contentType, contentEncoding] = [c.req.header('content-type'), c.req.header('content-encoding')]
    const { compression } = new RawBody({ contentType, contentEncoding }, bytes, tooLarge)
    if (compression === undefined) throw invalid('The body is not UTF-8. Send it as JSON in UTF-8.')
    throw new Problem(415, `The body is compressed (${compression}). Send it without compression.`)
  }
}

/** The media types that Hono's validator accepts as JSON. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i
