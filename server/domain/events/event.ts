import type { Subject } from '../links/subject.ts'
import type { Instant } from '../time/berlin-time.ts'
import type { eventFields, EventType, FieldsOf, FieldTypes } from './event-fields.ts'

export type { EventType }

/** All events. `Types` are the types of their fields, which differ between the journal and views. */
export type EventsWith<Types> = {
  [Type in EventType]: Subject & { readonly type: Type } & FieldsOf<(typeof eventFields)[Type], Types>
}[EventType]

/** The first part of a type, such as `link` in `link.paid`. */
export type EventTopic = EventType extends infer Type
  ? Type extends `${infer Topic}.${string}`
    ? Topic
    : never
  : never

export const topicOf = ({ type }: { readonly type: EventType }): EventTopic =>
  type.split('.', 1)[0] as EventTopic

/** All events that the journal records. */
export type SandboxEvent = EventsWith<FieldTypes>

/** The event with a given type. */
export type EventOf<
  Type extends EventType,
  Event extends { readonly type: EventType } = SandboxEvent,
> = Extract<Event, { readonly type: Type }>

/** Events that begin a new journal, so that everything read from the old journal is invalid. */
export const epochStarts = ['sandbox.reset', 'sandbox.restored', 'sandbox.rewound'] as const

export const startsEpoch = ({ type }: Pick<SandboxEvent, 'type'>): boolean =>
  epochStarts.some((start) => start === type)

/** Whether an event deletes all older events of its account. */
export const clearsAccount = ({ type }: Pick<SandboxEvent, 'type'>): boolean =>
  type === 'account.reset' || type === 'account.deleted'

/** Whether an event deletes requests that tunnels captured. */
export const clearsRequests = (event: Pick<SandboxEvent, 'type'>): boolean =>
  event.type === 'tunnel.cleared' ||
  event.type === 'listener.overflowed' ||
  clearsAccount(event) ||
  startsEpoch(event)

/**
 * An event with its position in the journal. Events are sorted by `seq`. An inspector that reconnects continues after its last
 * `seq`.
 */
export type RecordedEvent<Event = SandboxEvent> = Event & {
  readonly seq: number
  readonly at: Instant
}

/** The record of one attempt to deliver a webhook. */
export type AttemptEvent = Extract<RecordedEvent, { readonly type: 'delivery.attempted' }>
