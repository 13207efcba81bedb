import { shown, list } from './fields.ts'
import { z } from 'zod'
import { EventShape } from './event.ts'
import type { ShownEvent } from '../views.ts'

export const StreamShape = shown<StreamMessage>()(
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('hello'),
      epoch: z.string(),
      head: z.int().meta({ description: 'The last `seq` there is.' }),
      oldest: z.int().meta({ description: 'The first.' }),
      version: z.string(),
    }),
    z.object({ type: z.literal('alive') }),
    z.object({ type: z.literal('events'), events: list(EventShape) }),
  ]),
)

/**
 * What the stream sends: a greeting first and after every reset, then events in batches. Between them a sign of
 * life now and then, since a page cannot see the pings of its socket.
 */
export type StreamMessage =
  | (Hello & { readonly type: 'hello'; readonly version: string })
  | { readonly type: 'alive' }
  | { readonly type: 'events'; readonly events: readonly ShownEvent[] }

export interface Hello {
  readonly epoch: string
  readonly head: number
  readonly oldest: number
}
