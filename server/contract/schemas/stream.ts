import { schemaFor, readonlyList } from './fields.ts'
import { z } from 'zod'
import { EventSchema } from './event.ts'
import type { EventView } from '../views.ts'

export const StreamMessageSchema = schemaFor<StreamMessage>()(
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('hello'),
      epoch: z.string(),
      head: z.int().meta({ description: 'The last `seq` there is.' }),
      oldest: z.int().meta({ description: 'The first.' }),
      version: z.string(),
    }),
    z.object({ type: z.literal('alive') }),
    z.object({ type: z.literal('events'), events: readonlyList(EventSchema) }),
  ]),
)

/**
 * What the stream sends: a greeting first and after every reset, then events in batches. Between them a sign of
 * life now and then, since a page cannot see the pings of its socket.
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
