import { z } from 'zod'
import type { ShownEvent } from '../views.ts'
import { clockMode } from './clock.ts'
import { cause, deliveryState, via } from './delivery.ts'
import { faultMark, place } from './fault.ts'
import { DiagnosticShape } from './diagnostic.ts'
import { assumed, door, euros, instant, list, outcomeText, recorded, shown } from './fields.ts'
import { InvoiceShape } from './invoice.ts'
import { paymentMethod, LinkShape } from './link.ts'
import { mappedTo, MapShape } from './map.ts'

/** Events of some types, with what they have besides. */
const event = <const Type extends string, Fields extends z.ZodRawShape>(
  types: readonly [Type, ...Type[]],
  fields: Fields,
) => z.strictObject({ type: z.enum(types), ...recorded, ...fields })

/** A call of the v2 API, with the answer it got. */
const call = {
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

const listener = { tunnel: z.string(), listener: z.string() }

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
  status: outcomeText,
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
  const sent = {
    deliveryId: z.int(),
    target,
    reason: z.string(),
    status: outcomeText,
    cause,
    replayOf: z.int().nullable(),
    fault: faultMark.optional(),
  }
  return z.discriminatedUnion('type', [
    event(['api.request'], call),
    event(['api.limited'], call),
    event(['checkout.viewed'], {
      page: z.string(),
      method: z.string(),
      path: z.string(),
      status: z.int(),
      ms: z.number(),
    }),
    event(['link.created'], { link }),
    event(['link.paid'], { door, method: paymentMethod, amount }),
    event(['link.cancelled'], { door }),
    event(['link.declined'], { door }),
    event(['link.deleted'], { door }),
    event(['bank_transfer.initiated'], { door }),
    event(['bank_transfer.rejected'], { door }),
    event(['dispute.opened'], {}),
    event(['dispute.closed'], { outcome: z.enum(['won', 'lost']) }),
    event(['redirect.sent', 'redirect.lost'], redirectOf({ location })),
    event(['delivery.queued'], { ...sent, assumed }),
    event(['delivery.held'], { ...sent, mappedTo, heldReason: z.string() }),
    event(['delivery.released'], sent),
    event(['delivery.delayed'], { ...sent, nextAttemptAt: time.meta({ description: 'When it goes.' }) }),
    event(['delivery.attempted'], {
      ...sent,
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
    event(['refund.requested', 'refund.approved', 'refund.rejected'], { amount, full: z.boolean() }),
    DiagnosticShape,
    event(['tunnel.captured'], {
      tunnel: z.string(),
      carried: z.int().nullable().meta({ description: "The sandbox's own webhook that was captured." }),
      method: z.string(),
      path: z.string(),
      status: z.int().nullable().meta({
        description: 'What was answered at once, null where a listener was asked.',
      }),
      size: z.int(),
    }),
    event(['check.sent'], {
      target: z.string(),
      mappedTo,
      check: z.string().nullable().meta({ description: 'The case of a check that it is of.' }),
      httpStatus: z.int().nullable(),
      error: z.string().nullable(),
      ms: z.number(),
    }),
    event(['tunnel.answered'], {
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
    event(['tunnel.changed'], { tunnel: z.string(), status: z.int(), delayMs: z.int() }),
    event(['tunnel.cleared'], { tunnel: z.string(), count: z.int() }),
    event(['listener.connected'], {
      ...listener,
      to: z.string(),
      waiting: z.int().meta({ description: 'How many requests waited for it.' }),
    }),
    event(['listener.lost', 'listener.forgotten'], { ...listener, reason: z.string() }),
    event(['listener.overflowed'], {
      ...listener,
      count: z.int().meta({ description: 'How many requests gave way to newer ones.' }),
    }),
    event(['account.created', 'account.deleted', 'account.reset'], { name: z.string() }),
    event(['account.changed'], { name: z.string(), fields: list(z.string()) }),
    event(['behaviors.changed'], { values: z.record(z.string(), z.string()).readonly() }),
    event(['maps.changed'], { maps: list(MapShape) }),
    event(['hosts.changed'], { allowedHosts: list(z.string()) }),
    event(['fault.added', 'fault.removed'], { faultId: z.int(), on: place, script: list(z.string()) }),
    event(['invoice.issued'], { invoice }),
    event(['clock.changed'], { from: time, to: time, mode: clockMode, offsetMs: z.number() }),
    event(['snapshot.taken'], { name: z.string() }),
    event(['sandbox.restored'], { snapshot: z.string(), undo: z.boolean() }),
    event(['sandbox.started'], { version: z.string() }),
    event(['sandbox.reset'], { to: z.enum(['seed', 'empty']) }),
  ])
}

export const EventShape = shown<ShownEvent>()(
  eventsOf({
    amount: euros,
    link: LinkShape,
    invoice: InvoiceShape,
    state: deliveryState,
    time: instant,
    target: z.string(),
    location: z.string(),
  }).meta({ id: 'Event', description: 'Something that happened, with what it was about.' }),
)
