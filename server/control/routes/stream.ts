import type { RecordedEvent } from '../../domain/events/event.ts'
import { presentEvent } from '../../contract/views.ts'
import { z } from 'zod'
import type { ControlContext } from '../context.ts'
import { Hono } from 'hono'
import { describeRoute } from '../requests/describe-route.ts'
import { StreamMessageSchema, type StreamHello, type StreamMessage } from '../../contract/schemas/stream.ts'
import { Problem } from '../requests/problem.ts'
import { upgradeWebSocket, type WebSocketLike } from '@hono/node-server'
import { follow } from '../waits/follow-events.ts'
import type { WSContext } from 'hono/ws'
import type { WebSocket } from 'ws'

const written = new WeakMap<RecordedEvent, { readonly baseUrl: string; readonly text: string }>()

/** An event as JSON. It is written once for all who follow the journal by the same address. */
export function eventJson(event: RecordedEvent, baseUrl: string): string {
  const known = written.get(event)
  if (known?.baseUrl === baseUrl) return known.text
  const text = JSON.stringify(presentEvent(event, baseUrl))
  written.set(event, { baseUrl, text })
  return text
}

const From = z.object({
  after: z
    .int()
    .optional()
    .meta({ description: 'Go on after this `seq`. Without it, from the beginning of the journal.' }),
  epoch: z.string().optional().meta({
    description: 'The life of the journal that `after` belongs to. Another one is sent from its beginning.',
  }),
})

/** The WebSocket on which the journal is followed. `?after=<seq>&epoch=<epoch>` goes on from there. */
export const streamRoute = (
  { store, version, baseUrl, streamHeartbeatMs: aliveEveryMs }: ControlContext,
  onError: (error: unknown) => void,
) =>
  new Hono().get(
    '/stream',
    describeRoute({
      summary: 'Follow the journal',
      description:
        'A WebSocket. Each message is JSON: `hello` first and after every reset, then `events` without gap or repetition, and `alive` when there is nothing to tell for a while.',
      query: From,
      answers: { 101: StreamMessageSchema },
    }),
    async (c, next) => {
      if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
        throw new Problem(
          400,
          'Not valid',
          'This address takes a WebSocket: connect to it with ws in the place of http.',
        )
      }
      await next()
    },
    upgradeWebSocket((c) => {
      const gone = new AbortController()
      const after = Number(c.req.query('after') ?? 0)
      const from = {
        after: Number.isSafeInteger(after) && after > 0 ? after : 0,
        epoch: c.req.query('epoch'),
      }
      const base = baseUrl(c)

      return {
        onOpen(_event, socket) {
          const follower = {
            hello: (hello: StreamHello) => send(socket, { type: 'hello', ...hello, version }),
            events: (batch: Parameters<Parameters<typeof follow>[2]['events']>[0]) =>
              sendText(
                socket,
                `{"type":"events","events":[${batch.map((event) => eventJson(event, base)).join()}]}`,
              ),
          }
          const pulse = setInterval(() => void send(socket, { type: 'alive' }), aliveEveryMs).unref()
          gone.signal.addEventListener('abort', () => clearInterval(pulse))
          follow(store, from, follower, gone.signal).catch((error: unknown) => {
            if (!gone.signal.aborted) onError(error)
            socket.close(1011)
          })
        },
        onClose: () => gone.abort(),
        onError: () => gone.abort(),
      }
    }),
  )

const send = (socket: WSContext<WebSocketLike>, message: StreamMessage): Promise<void> =>
  sendText(socket, JSON.stringify(message))

/** Resolves when the text has left this process; a socket that is gone is no error, its follower ends. */
const sendText = (socket: WSContext<WebSocketLike>, text: string): Promise<void> =>
  new Promise((resolve) => {
    const raw = socket.raw as WebSocket | undefined
    if (raw) raw.send(text, () => resolve())
    else resolve()
  })
