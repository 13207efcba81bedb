import type { Subject } from '../links/subject.ts'
import type { Instant } from '../time/time.ts'
import type { eventFields, EventType, FieldsOf, FieldTypes } from './event-fields.ts'

export type { EventType }

/** All event types, with the types of their fields as given: those of the journal, or those of views. */
export type EventsWith<Types> = {
  [Type in EventType]: Subject & { readonly type: Type } & FieldsOf<(typeof eventFields)[Type], Types>
}[EventType]

/** Everything that the journal records. */
export type SandboxEvent = EventsWith<FieldTypes>

/** The event of a type. */
export type EventOf<
  Type extends EventType,
  Event extends { readonly type: EventType } = SandboxEvent,
> = Extract<Event, { readonly type: Type }>

/** Whether the journal began anew with an event: what was known of it before is of no use any more. */
export const startsEpoch = ({ type }: Pick<SandboxEvent, 'type'>): boolean =>
  type === 'sandbox.reset' || type === 'sandbox.restored'

/** Whether everything older went with an event that is about the same account. */
export const clearsAccount = ({ type }: Pick<SandboxEvent, 'type'>): boolean =>
  type === 'account.reset' || type === 'account.deleted'

/** Whether requests that tunnels captured went with an event. */
export const clearsRequests = (event: Pick<SandboxEvent, 'type'>): boolean =>
  event.type === 'tunnel.cleared' ||
  event.type === 'listener.overflowed' ||
  clearsAccount(event) ||
  startsEpoch(event)

/** An event with its place in history: `seq` orders, and lets a reconnecting inspector resume. */
export type RecordedEvent<Event = SandboxEvent> = Event & {
  readonly seq: number
  readonly at: Instant
}

/** The record of one attempt to deliver a webhook. */
export type AttemptEvent = Extract<RecordedEvent, { readonly type: 'delivery.attempted' }>
