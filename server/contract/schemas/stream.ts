import { schemaFor, readonlyList } from './fields.ts'
import { z } from 'zod'
import { EventSchema } from './event.ts'
import type { EventView } from '../views.ts'

export const StreamMessageSchema = schemaFor<StreamMessage>()(
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('hello'),
      epoch: z.string(),
      head: z.int().meta({ description: 'The newest `seq`.' }),
      oldest: z.int().meta({ description: 'The oldest `seq` that is still stored.' }),
      version: z.string(),
    }),
    z.object({ type: z.literal('alive') }),
    z.object({ type: z.literal('events'), events: readonlyList(EventSchema) }),
  ]),
)

/**
 * The messages of the stream: `hello` first and after every reset, then events in batches. `alive` is a heartbeat,
 * because a web page cannot see the pings of its WebSocket.
 */
export type StreamMessage =
  | (StreamHello & { readonly type: 'hello'; readonly version: string })
  | { readonly type: 'alive' }
  | { readonly type: 'events'; readonly events: readonly EventView[] }

export interface StreamHello {
  readonly epoch: string
  readonly head: number
  readonly oldest: number
}
