import { upgradeWebSocket } from '@hono/node-server'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { Hono } from 'hono'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import {
  DEFAULT_TUNNEL_ANSWER,
  LISTENER_NAME_PATTERN,
  TUNNEL_NAME_PATTERN,
  type Listener,
} from '../../domain/network/tunnel.ts'
import { forgetExpiredListeners, forgetListener } from '../../operations/tunnels/forget-listener.ts'
import { clearTunnel, setTunnelAnswer } from '../../operations/tunnels/change-tunnel.ts'
import * as capturedRequests from '../../store/repositories/captured-requests.ts'
import * as listeners from '../../store/repositories/listeners.ts'
import * as tunnels from '../../store/repositories/tunnels.ts'
import * as pendingRequests from '../../store/repositories/pending-requests.ts'
import type { ControlContext } from '../context.ts'
import { httpUrl, unicodeText } from '../../contract/schemas/request-fields.ts'
import { body, limit, query, seq } from '../requests/input.ts'
import type { TunnelView } from '../../contract/views.ts'
import { notFound, Problem } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { CapturedRequestSchema, TunnelAnswerSchema, TunnelSchema } from '../../contract/schemas/tunnel.ts'
import { describeRoute } from '../requests/describe-route.ts'

const OF_CONNECTION = /^(content-length|transfer-encoding|connection)$/i

const header = z
  .tuple([z.string(), z.string()], { error: 'should be a pair of name and value, both text' })
  .refine(([name, value]) => isHeaderField(name, value) && !OF_CONNECTION.test(name), {
    error: 'is no header field',
  })
  .readonly()

export const AnswerBody = z.strictObject({
  status: z
    .int()
    .min(200)
    .max(599)
    .default(DEFAULT_TUNNEL_ANSWER.status)
    .meta({ description: 'The HTTP status.' }),
  headers: z
    .array(header)
    .max(100)
    .default([...DEFAULT_TUNNEL_ANSWER.headers] as [string, string][])
    .meta({ description: 'Pairs of name and value, such as the content type.' }),
  body: unicodeText
    .max(1024 * 1024, { error: 'should have at most 1048576 characters' })
    .default(DEFAULT_TUNNEL_ANSWER.body)
    .meta({ description: 'The text of the body.' }),
  delayMs: z
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .meta({ description: 'How long it takes its time, in milliseconds, up to 60000.' }),
})

const Page = z.strictObject({
  after: z.string().default('').meta({ description: 'Only tunnels after this name, to turn a page.' }),
  limit: limit(100),
})

const Listing = z.strictObject({
  before: seq.optional().meta({ description: 'Only requests before this `seq`.' }),
  limit: z.coerce
    .number({ error: 'should be a whole number from 1 to 100' })
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: 'How many at most, 100 being the most.' }),
})

export const ListenQuery = z.strictObject({
  as: z
    .string()
    .regex(LISTENER_NAME_PATTERN, {
      error: 'should be up to 100 letters, digits, dots, dashes and underscores',
    })
    .meta({ description: 'What the listener is called, by which it is known when it comes back.' }),
  to: httpUrl.meta({ description: 'The local address that it posts to, to be shown.' }),
  since: z.coerce
    .number({ error: 'should be a whole number' })
    .int()
    .min(0)
    .optional()
    .meta({ description: 'It also gets what was captured from this `seq` on.' }),
  instance: z
    .string()
    .max(100)
    .default('')
    .meta({ description: 'Which process it is, so that it may take the place of its own old connection.' }),
})

const path = { name: z.string().meta({ description: 'The name of the tunnel.', examples: ['flower-shop'] }) }

/** Tunnels: what they answer, what they captured, and who listens. */
export const tunnelRoutes = ({ store, baseUrl, listeners: present }: ControlContext) => {
  async function shownTunnels(base: string, names: readonly string[]): Promise<TunnelView[]> {
    const { db } = store
    const known = new Map<string, Listener[]>()
    for (const one of await listeners.list(db, names)) {
      known.set(one.tunnel, [...(known.get(one.tunnel) ?? []), one])
    }
    const counts = new Map(
      (await pendingRequests.counts(db, names)).map((one) => [`${one.tunnel} ${one.id}`, one.count]),
    )
    const answers = await tunnels.listAnswers(db, names)
    const kept = await capturedRequests.counts(db, names)
    return names.map((name) => ({
      name,
      url: `${base}/tunnel/${name}`,
      answer: answers.get(name) ?? DEFAULT_TUNNEL_ANSWER,
      requests: kept.get(name) ?? 0,
      listeners: (known.get(name) ?? []).map(({ tunnel, id, to, connectedAt, awaySince }) => ({
        id,
        to,
        state: awaySince === null ? ('connected' as const) : ('away' as const),
        target: upText(present.isUp({ tunnel, id })),
        connectedAt,
        awaySince,
        waiting: counts.get(`${tunnel} ${id}`) ?? 0,
      })),
    }))
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List tunnels',
        description:
          'Those of which anything is known, by the alphabet: `more` says whether others follow, which `after` gives. Any other name works as well.',
        answers: { 200: z.object({ tunnels: readonlyList(TunnelSchema), more: z.boolean() }) },
      }),
      query(Page),
      async (c) => {
        await store.transact(forgetExpiredListeners)
        const { names, more } = await tunnels.namesAfter(store.db, c.req.valid('query'))
        return c.json({ tunnels: await shownTunnels(baseUrl(c), names), more })
      },
    )
    .get(
      '/:name',
      describeRoute({
        summary: 'Get a tunnel',
        description: 'What it answers, who listens, and what waits for them.',
        path,
        answers: { 200: TunnelSchema },
        problems: [404],
      }),
      async (c) => {
        const name = acceptName(c.req.param('name'))
        await store.transact(forgetExpiredListeners)
        return c.json((await shownTunnels(baseUrl(c), [name]))[0]!)
      },
    )
    .put(
      '/:name/answer',
      describeRoute({
        summary: 'Set what a tunnel answers',
        description: 'Where no listener does. What is left out is as at first: 200 and `captured`, at once.',
        path,
        answers: { 200: TunnelAnswerSchema },
        problems: [404],
      }),
      body(AnswerBody),
      async (c) => {
        const name = acceptName(c.req.param('name'))
        const answer = c.req.valid('json')
        await store.transact((work) => setTunnelAnswer(work, name, answer))
        return c.json(answer)
      },
    )
    .get(
      '/:name/requests',
      describeRoute({
        summary: 'List what a tunnel captured',
        description:
          'The newest, newest last, with their whole bytes, up to 8 MiB at once: `more` says whether there are older ones, which `before` gives. 1000 of a tunnel are kept, up to 64 MiB.',
        path,
        answers: { 200: z.object({ requests: readonlyList(CapturedRequestSchema), more: z.boolean() }) },
        problems: [404],
      }),
      query(Listing),
      async (c) => {
        const name = acceptName(c.req.param('name'))
        const { before, limit: most } = c.req.valid('query')
        const { seqs, more } = await capturedRequests.newest(store.db, name, { before, limit: most })
        const waitingFor = await pendingRequests.listenersOf(store.db, seqs)
        const found = await Promise.all(seqs.map((one) => capturedRequests.find(store.db, one)))
        const requests = found.flatMap((one) => {
          if (!one) return []
          const { event, request } = one
          const { headers, method, body: bytes } = request
          return [
            {
              seq: event.seq,
              at: event.at,
              method,
              path: event.path,
              headers,
              body: bytes,
              waitsFor: waitingFor.get(event.seq) ?? [],
            },
          ]
        })
        return c.json({ requests, more })
      },
    )
    .delete(
      '/:name/requests',
      describeRoute({
        summary: 'Forget what a tunnel captured',
        description: 'It waits for no listener any more. The journal still tells that it came.',
        path,
        answers: { 204: null },
        problems: [404],
      }),
      async (c) => {
        const name = acceptName(c.req.param('name'))
        await store.transact((work) => clearTunnel(work, name))
        return c.body(null, 204)
      },
    )
    .delete(
      '/:name/listeners/:id',
      describeRoute({
        summary: 'Forget a listener',
        description: 'And what waits for it. One that is connected is sent away.',
        path: { ...path, id: z.string().meta({ description: 'What the listener is called.' }) },
        answers: { 204: null },
        problems: [404],
      }),
      async (c) => {
        const key = { tunnel: acceptName(c.req.param('name')), id: c.req.param('id') }
        if (!(await store.transact((work) => forgetListener(work, key)))) {
          throw notFound(`Tunnel ${key.tunnel} has no listener ${key.id}. GET /tunnels lists them.`)
        }
        present.disconnect(key)
        return c.body(null, 204)
      },
    )
    .get(
      '/:name/listen',
      describeRoute({
        summary: 'Listen at a tunnel',
        description:
          'A WebSocket, by which `paylink-sandbox listen` is given what reaches a tunnel and gives back what a local address answers. Each frame is four bytes with the length of a message, the message as JSON, and the bytes of a body.',
        path,
        answers: { 101: null },
        problems: [404],
      }),
      query(ListenQuery),
      async (c, next) => {
        acceptName(c.req.param('name'))
        if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
          throw new Problem(400, 'Not valid', 'This address takes a WebSocket: run `paylink-sandbox listen`.')
        }
        await next()
      },
      upgradeWebSocket((c) => {
        const { as, to, since, instance } = ListenQuery.parse(c.req.query())
        const tunnel = c.req.param('name') ?? ''
        return {
          onOpen(_event, socket) {
            present.connect(socket.raw as WebSocket, { tunnel, id: as, to, since, instance })
          },
        }
      }),
    )
}

function acceptName(name: string): string {
  if (TUNNEL_NAME_PATTERN.test(name)) return name
  throw notFound(`A tunnel has a name of small letters, digits and dashes, unlike ${JSON.stringify(name)}.`)
}

const upText = (isUp: boolean | null): 'up' | 'down' | null => (isUp === null ? null : isUp ? 'up' : 'down')

/** Node refuses others when they are to be sent. */
export function isHeaderField(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
