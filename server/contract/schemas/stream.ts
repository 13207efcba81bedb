import { z } from 'zod'
import { EventSchema } from './event.ts'
import { readonlyList } from './fields.ts'

/**
 * The messages of the stream: `hello` at the beginning and after every reset, then events in batches. `alive` is a heartbeat for
 * web pages, which cannot see the pings of a WebSocket.
 */
export const StreamMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    epoch: z.string(),
    head: z.int().meta({ description: 'The newest `seq`.' }),
    oldest: z.int().meta({ description: 'The oldest `seq` that is still stored.' }),
    version: z.string(),
  }),
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('events'), events: readonlyList(EventSchema) }),
])

export type StreamMessage = Readonly<z.output<typeof StreamMessageSchema>>

/** Where the stream begins. */
export type StreamHello = Omit<Extract<StreamMessage, { type: 'hello' }>, 'type' | 'version'>
