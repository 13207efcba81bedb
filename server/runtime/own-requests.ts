import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { Writable } from 'node:stream'
import type { Fetch } from '../domain/http/fetch.ts'
import type { App, NodeEnv } from '../platform/http/node-env.ts'

/**
 * Sends the sandbox's requests to itself, such as those of a check that was started in the inspector, directly to its app. They
 * need no address, certificate or admin token.
 */
export function createOwnRequests(app: () => App) {
  const environments = new WeakSet<object>()
  const stopped = new AbortController()

  const fetch: Fetch = async (address, { method = 'GET', headers = {}, body } = {}) => {
    stopped.signal.throwIfAborted()
    const { host, pathname, search } = new URL(address)
    const fields = {
      host,
      ...headers,
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    }
    const outgoing = new OwnResponse()
    const env = {
      incoming: {
        url: pathname + search,
        headers: fields,
        rawHeaders: Object.entries(fields).flat(),
        socket: outgoing,
      },
      outgoing,
    } as unknown as HttpBindings
    environments.add(env)
    const request = new Request(address, {
      method,
      headers: fields,
      signal: stopped.signal,
      ...(body !== undefined && { body: body as BodyInit }),
    })
    const response = await app().fetch(request, env)
    // A fault has broken the connection.
    if (response === RESPONSE_ALREADY_SENT) {
      throw Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' })
    }
    outgoing.end()
    return response
  }

  return {
    fetch,
    isOwn: ({ env }: Context<NodeEnv>): boolean => environments.has(env),
    /** Ends pending requests, and refuses further ones. */
    stop: (): void => stopped.abort(new Error('the sandbox was stopped')),
  }
}

/** Takes the place of Node's response, because some handlers break the connection, or wait until the response has ended. */
class OwnResponse extends Writable {
  readonly socket = this

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done()
  }

  writeHead(): this {
    return this
  }

  resetAndDestroy(): void {
    this.destroy()
  }
}
