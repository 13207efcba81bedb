import { z } from 'zod'
import type { EventView } from '../views.ts'
import { clockMode } from './clock.ts'
import { cause, deliveryState, via } from './delivery.ts'
import { faultMark, faultPoint } from './fault.ts'
import { DiagnosticSchema } from './diagnostic.ts'
import {
  assumed,
  entryPoint,
  euros,
  instant,
  readonlyList,
  statusText,
  recordedFields,
  schemaFor,
} from './fields.ts'
import { InvoiceSchema } from './invoice.ts'
import { paymentMethod, LinkSchema } from './link.ts'
import { mappedTo, MapSchema } from './map.ts'

/** Events of some types, with what they have besides. */
const eventSchema = <const Type extends string, Fields extends z.ZodRawShape>(
  types: readonly [Type, ...Type[]],
  fields: Fields,
) => z.strictObject({ type: z.enum(types), ...recordedFields, ...fields })

/** A call of the v2 API, with the answer it got. */
const callFields = {
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  code: z.union([z.literal(0), z.literal(1)]).meta({ description: '1 for success, 0 for a refusal.' }),
  message: z.string(),
  ms: z.number().meta({ description: 'How long the caller waited, any delay by a fault included.' }),
  processingMs: z.number().optional().meta({
    description: 'How long the sandbox took to make the answer. Older journals do not have it.',
  }),
  assumed,
  fault: faultMark.optional(),
}

const listenerFields = { tunnel: z.string(), listener: z.string() }

/** What an event holds in other words where it is shown than where it is stored. */
interface Parts<Link, Invoice, State> {
  readonly amount: z.ZodType<number>
  readonly link: Link
  readonly invoice: Invoice
  readonly state: State
  readonly time: z.ZodType<string>
  /** Where a webhook is meant to go. */
  readonly target: z.ZodType<string>
  /** Where a browser is sent. */
  readonly location: z.ZodType<string>
}

/** Where a browser is sent, in its event and while it waits. */
export const redirectOf = ({ location }: Pick<Parts<unknown, unknown, unknown>, 'location'>) => ({
  location,
  mappedFrom: z.string().optional().meta({ description: 'Where it was meant to go.' }),
  status: statusText,
  assumed,
  fault: faultMark.optional(),
})

/** Every event there is, made of such parts. */
export function eventsOf<Link extends z.ZodType, Invoice extends z.ZodType, State extends z.ZodType>({
  amount,
  link,
  invoice,
  state,
  time,
  target,
  location,
}: Parts<Link, Invoice, State>) {
  /** A webhook, in every event of its delivery. */
  const deliveryFields = {
    deliveryId: z.int(),
    target,
    reason: z.string(),
    status: statusText,
    cause,
    replayOf: z.int().nullable(),
    fault: faultMark.optional(),
  }
  return z.discriminatedUnion('type', [
    eventSchema(['api.request'], callFields),
    eventSchema(['api.limited'], callFields),
    eventSchema(['checkout.viewed'], {
      page: z.string(),
      method: z.string(),
      path: z.string(),
      status: z.int(),
      ms: z.number(),
    }),
    eventSchema(['link.created'], { link }),
    eventSchema(['link.paid'], { door: entryPoint, method: paymentMethod, amount }),
    eventSchema(['link.cancelled'], { door: entryPoint }),
    eventSchema(['link.declined'], { door: entryPoint }),
    eventSchema(['link.deleted'], { door: entryPoint }),
    eventSchema(['bank_transfer.initiated'], { door: entryPoint }),
    eventSchema(['bank_transfer.rejected'], { door: entryPoint }),
    eventSchema(['dispute.opened'], {}),
    eventSchema(['dispute.closed'], { outcome: z.enum(['won', 'lost']) }),
    eventSchema(['redirect.sent', 'redirect.lost'], redirectOf({ location })),
    eventSchema(['delivery.queued'], { ...deliveryFields, assumed }),
    eventSchema(['delivery.held'], { ...deliveryFields, mappedTo, heldReason: z.string() }),
    eventSchema(['delivery.released'], deliveryFields),
    eventSchema(['delivery.delayed'], {
      ...deliveryFields,
      nextAttemptAt: time.meta({ description: 'When it goes.' }),
    }),
    eventSchema(['delivery.attempted'], {
      ...deliveryFields,
      mappedTo,
      attempt: z.int(),
      startedAt: time.optional().meta({ description: 'When it set out.' }),
      httpStatus: z.int().nullable(),
      error: z.string().nullable(),
      via,
      ms: z.number(),
      state,
      nextAttemptAt: time
        .nullable()
        .meta({ description: 'When the next attempt is due, null where none follows.' }),
      possibleDuplicate: z.boolean(),
    }),
    eventSchema(['refund.requested', 'refund.approved', 'refund.rejected'], { amount, full: z.boolean() }),
    DiagnosticSchema,
    eventSchema(['tunnel.captured'], {
      tunnel: z.string(),
      carried: z.int().nullable().meta({ description: "The sandbox's own webhook that was captured." }),
      method: z.string(),
      path: z.string(),
      status: z.int().nullable().meta({
        description: 'What was answered at once, null where a listener was asked.',
      }),
      size: z.int(),
    }),
    eventSchema(['check.sent'], {
      target: z.string(),
      mappedTo,
      check: z.string().nullable().meta({ description: 'The case of a check that it is of.' }),
      httpStatus: z.int().nullable(),
      error: z.string().nullable(),
      ms: z.number(),
    }),
    eventSchema(['tunnel.answered'], {
      tunnel: z.string(),
      of: z.int().meta({ description: 'The event of the request.' }),
      listener: z.string().nullable().meta({ description: 'Who answered, null for the sandbox itself.' }),
      first: z.boolean().meta({ description: 'Whether it is what the caller was answered.' }),
      method: z.string(),
      path: z.string(),
      status: z.int().nullable(),
      error: z.string().nullable(),
      ms: z.number(),
      possibleDuplicate: z.boolean(),
    }),
    eventSchema(['tunnel.changed'], { tunnel: z.string(), status: z.int(), delayMs: z.int() }),
    eventSchema(['tunnel.cleared'], { tunnel: z.string(), count: z.int() }),
    eventSchema(['listener.connected'], {
      ...listenerFields,
      to: z.string(),
      waiting: z.int().meta({ description: 'How many requests waited for it.' }),
    }),
    eventSchema(['listener.lost', 'listener.forgotten'], { ...listenerFields, reason: z.string() }),
    eventSchema(['listener.overflowed'], {
      ...listenerFields,
      count: z.int().meta({ description: 'How many requests gave way to newer ones.' }),
    }),
    eventSchema(['account.created', 'account.deleted', 'account.reset'], { name: z.string() }),
    eventSchema(['account.changed'], { name: z.string(), fields: readonlyList(z.string()) }),
    eventSchema(['behaviors.changed'], { values: z.record(z.string(), z.string()).readonly() }),
    eventSchema(['maps.changed'], { maps: readonlyList(MapSchema) }),
    eventSchema(['hosts.changed'], { allowedHosts: readonlyList(z.string()) }),
    eventSchema(['fault.added', 'fault.removed'], {
      faultId: z.int(),
      on: faultPoint,
      script: readonlyList(z.string()),
    }),
    eventSchema(['invoice.issued'], { invoice }),
    eventSchema(['clock.changed'], { from: time, to: time, mode: clockMode, offsetMs: z.number() }),
    eventSchema(['snapshot.taken'], { name: z.string() }),
    eventSchema(['sandbox.restored'], { snapshot: z.string(), undo: z.boolean() }),
    eventSchema(['sandbox.started'], { version: z.string() }),
    eventSchema(['sandbox.reset'], { to: z.enum(['seed', 'empty']) }),
  ])
}

export const EventSchema = schemaFor<EventView>()(
  eventsOf({
    amount: euros,
    link: LinkSchema,
    invoice: InvoiceSchema,
    state: deliveryState,
    time: instant,
    target: z.string(),
    location: z.string(),
  }).meta({ id: 'Event', description: 'Something that happened, with what it was about.' }),
)
