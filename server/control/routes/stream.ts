import { upgradeWebSocket, type WebSocketLike } from '@hono/node-server'
import { Hono } from 'hono'
import type { WSContext } from 'hono/ws'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { RecordedEvent } from '../../domain/events/event.ts'
import { StreamMessageSchema, type StreamMessage } from '../../contract/schemas/stream.ts'
import { presentEvent } from '../../contract/views.ts'
import type { ControlContext } from '../context.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { requireWebSocket } from '../requests/require-web-socket.ts'
import { streamEvents, type StreamReader } from '../stream/stream-events.ts'

const jsonOf = new WeakMap<RecordedEvent, { readonly baseUrl: string; readonly text: string }>()

/** An event as JSON. Cached, because it is the same for all streams with the same base URL. */
function eventJson(event: RecordedEvent, baseUrl: string): string {
  const cached = jsonOf.get(event)
  if (cached?.baseUrl === baseUrl) return cached.text
  const text = JSON.stringify(presentEvent(event, baseUrl))
  jsonOf.set(event, { baseUrl, text })
  return text
}

/** Describes the query, which is read without validation. An invalid value counts as missing. */
const StreamQuery = z.object({
  after: z
    .int()
    .optional()
    .meta({ description: 'Continue after this `seq`. Without it, from the beginning of the journal.' }),
  epoch: z.string().optional().meta({
    description:
      'The epoch of the journal that `after` belongs to. If it has changed, the journal is sent from its beginning.',
  }),
})

/** The WebSocket of the journal. */
export const streamRoute = (
  { store, version, baseUrl, streamHeartbeatMs }: ControlContext,
  onError: (error: unknown) => void,
) =>
  new Hono().get(
    '/stream',
    describeRoute({
      summary: 'Follow the journal',
      description:
        'A WebSocket. Each message is JSON: `hello` first and after every reset, then `events` in sequence and without repetitions, and `alive` from time to time. Events older than `oldest` have been deleted and are missing.',
      query: StreamQuery,
      responses: { 101: StreamMessageSchema },
    }),
    requireWebSocket('connect with ws:// instead of http://'),
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
          const follower: StreamReader = {
            hello: (hello) => send(socket, { type: 'hello', ...hello, version }),
            events: (batch) =>
              sendText(
                socket,
                `{"type":"events","events":[${batch.map((event) => eventJson(event, base)).join()}]}`,
              ),
          }
          const heartbeat = setInterval(() => void send(socket, { type: 'alive' }), streamHeartbeatMs).unref()
          gone.signal.addEventListener('abort', () => clearInterval(heartbeat))
          streamEvents(store, from, follower, gone.signal).catch((error: unknown) => {
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

/** Resolves when the text is sent or the socket is closed. In the latter case, `onClose` ends the follower. */
const sendText = (socket: WSContext<WebSocketLike>, text: string): Promise<void> =>
  new Promise((resolve) => {
    const raw = socket.raw as WebSocket | undefined
    if (raw) raw.send(text, () => resolve())
    else resolve()
  })
