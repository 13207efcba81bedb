import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'

/** Gives handlers Node's request and response, as `c.env.incoming` and `c.env.outgoing`. */
export interface NodeEnv {
  Bindings: HttpBindings
}

/** Handles the requests of a server. */
export type App = Pick<Hono<NodeEnv>, 'fetch'>

/** The header fields as Node provides them. Also works for requests of `app.request()`, which have no socket. */
export const incomingHeaders = ({
  env,
  req,
}: Context<NodeEnv>): Pick<HttpBindings['incoming'], 'headers' | 'rawHeaders'> =>
  (env as Partial<HttpBindings> | undefined)?.incoming ?? {
    headers: Object.fromEntries(req.raw.headers),
    rawHeaders: [...req.raw.headers].flat(),
  }
