import { MAX_PAGE_BYTES } from '../../store/repositories/limit-bytes.ts'
import { upgradeWebSocket } from '@hono/node-server'
import { Hono } from 'hono'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import {
  MAX_KEPT_BYTES,
  MAX_KEPT_REQUESTS,
  TUNNEL_NAME_FORM,
  TUNNEL_NAME_PATTERN,
} from '../../domain/network/tunnel.ts'
import { formatMebibytes } from '../../domain/http/limits.ts'
import { forgetExpiredListeners, forgetListener } from '../../service/operations/tunnels/forget-listener.ts'
import { clearTunnel, setTunnelAnswer } from '../../service/operations/tunnels/change-tunnel.ts'
import * as capturedRequests from '../../store/repositories/captured-requests.ts'
import * as pendingRequests from '../../store/repositories/pending-requests.ts'
import * as tunnels from '../../store/repositories/tunnels.ts'
import type { ControlContext } from '../context.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { CapturedRequestSchema, TunnelAnswerSchema, TunnelSchema } from '../../contract/schemas/tunnel.ts'
import { presentTunnels } from '../present-tunnels.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { notFound, unknownId } from '../requests/problem.ts'
import { limit, seq } from '../requests/query-params.ts'
import { requireWebSocket } from '../requests/require-web-socket.ts'
import { TunnelAnswerBody, ListenQuery } from '../requests/tunnel-schemas.ts'
import { body, query } from '../requests/validators.ts'

const ListQuery = z.strictObject({
  after: z.string().default('').meta({ description: 'Only tunnels after this name, to read the next page.' }),
  limit: limit(100),
})

const RequestsQuery = z.strictObject({
  before: seq.optional().meta({ description: 'Only requests before this `seq`.' }),
  limit: limit(20, 100),
})

const params = {
  name: z.string().meta({ description: 'The name of the tunnel.', examples: ['flower-shop'] }),
}

/** Tunnels: what they respond with, the requests that they captured, and their listeners. */
export function tunnelRoutes(context: ControlContext) {
  const { store, baseUrl, listeners } = context

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List tunnels',
        description:
          'Tunnels with a request, an answer or a listener, in alphabetical order. `more` says whether there is a next page. Any other name also works as a tunnel.',
        responses: { 200: z.object({ tunnels: readonlyList(TunnelSchema), more: z.boolean() }) },
      }),
      query(ListQuery),
      async (c) => {
        await store.transact(forgetExpiredListeners)
        const { names, more } = await tunnels.namesAfter(store.db, c.req.valid('query'))
        return c.json({ tunnels: await presentTunnels(context, names, baseUrl(c)), more })
      },
    )
    .get(
      '/:name',
      describeRoute({
        summary: 'Get a tunnel',
        description:
          'With its answer, its listeners, and the number of requests that wait for each listener.',
        params,
        responses: { 200: TunnelSchema },
        errors: [404],
      }),
      async (c) => {
        const name = validateName(c.req.param('name'))
        await store.transact(forgetExpiredListeners)
        return c.json((await presentTunnels(context, [name], baseUrl(c)))[0]!)
      },
    )
    .put(
      '/:name/answer',
      describeRoute({
        summary: 'Set the answer of a tunnel',
        description:
          'The answer to requests that no listener answers. Missing fields get their defaults: 200 and `captured`, without delay.',
        params,
        responses: { 200: TunnelAnswerSchema },
        errors: [404],
      }),
      body(TunnelAnswerBody),
      async (c) => {
        const name = validateName(c.req.param('name'))
        const answer = c.req.valid('json')
        await store.transact((work) => setTunnelAnswer(work, name, answer))
        return c.json(answer)
      },
    )
    .get(
      '/:name/requests',
      describeRoute({
        summary: 'List captured requests',
        description: `The newest requests, oldest first, with all bytes, up to ${formatMebibytes(MAX_PAGE_BYTES)} per answer. \`more\` says whether there are older ones, which \`before\` selects. A tunnel keeps its last ${MAX_KEPT_REQUESTS} requests, up to ${formatMebibytes(MAX_KEPT_BYTES)}.`,
        params,
        responses: { 200: z.object({ requests: readonlyList(CapturedRequestSchema), more: z.boolean() }) },
        errors: [404],
      }),
      query(RequestsQuery),
      async (c) => {
        const name = validateName(c.req.param('name'))
        const { before, limit: most } = c.req.valid('query')
        const { seqs, more } = await capturedRequests.newest(store.db, name, { before, limit: most })
        const listenersOf = await pendingRequests.listenersOf(store.db, seqs)
        const found = await Promise.all(seqs.map((one) => capturedRequests.find(store.db, one)))
        const requests = found.flatMap((captured) => {
          if (!captured) return []
          const { seq: number, at, path } = captured.event
          const { method, headers, body: bytes } = captured.request
          const waitsFor = listenersOf.get(number) ?? []
          return [{ seq: number, at, method, path, headers, body: bytes, waitsFor }]
        })
        return c.json({ requests, more })
      },
    )
    .delete(
      '/:name/requests',
      describeRoute({
        summary: 'Delete captured requests',
        description: 'Listeners no longer get them. Their events stay in the journal.',
        params,
        responses: { 204: null },
        errors: [404],
      }),
      async (c) => {
        const name = validateName(c.req.param('name'))
        await store.transact((work) => clearTunnel(work, name))
        return c.body(null, 204)
      },
    )
    .delete(
      '/:name/listeners/:id',
      describeRoute({
        summary: 'Delete a listener',
        description: 'Deletes the requests that wait for it, and closes its connection.',
        params: { ...params, id: z.string().meta({ description: 'The name of the listener.' }) },
        responses: { 204: null },
        errors: [404],
      }),
      async (c) => {
        const key = { tunnel: validateName(c.req.param('name')), id: c.req.param('id') }
        if (!(await store.transact((work) => forgetListener(work, key)))) {
          throw unknownId(`listener of tunnel ${key.tunnel} named`, key.id, 'GET /tunnels')
        }
        listeners.disconnect(key)
        return c.body(null, 204)
      },
    )
    .get(
      '/:name/listen',
      describeRoute({
        summary: 'Listen at a tunnel',
        description:
          'The WebSocket of `npx paylink-sandbox listen`. It receives the requests of a tunnel, and sends the answers of a local app. Each frame has four bytes with the length of a message, the message as JSON, and the bytes of a body.',
        params,
        responses: { 101: null },
        errors: [404],
      }),
      query(ListenQuery),
      async (c, next) => {
        validateName(c.req.param('name'))
        await next()
      },
      requireWebSocket('run `npx paylink-sandbox listen`'),
      upgradeWebSocket((c) => {
        const { listener, to, since, instance } = ListenQuery.parse(c.req.query())
        const tunnel = c.req.param('name') ?? ''
        return {
          onOpen(_event, socket) {
            listeners.connect(socket.raw as WebSocket, { tunnel, id: listener, to, since, instance })
          },
        }
      }),
    )
}

function validateName(name: string): string {
  if (TUNNEL_NAME_PATTERN.test(name)) return name
  throw notFound(`${JSON.stringify(name)} is not the name of a tunnel. Use ${TUNNEL_NAME_FORM}.`)
}
