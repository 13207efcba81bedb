import { z } from 'zod'
import { severities } from '../../domain/diagnostics/diagnostic.ts'
import type { EventType, RecordedEvent } from '../../domain/events/event.ts'
import { eventTypes } from '../../domain/events/event-fields.ts'
import { eventFields, type EventField, type FieldTypes } from '../../domain/events/event-fields.ts'
import { attemptErrorCodes } from '../../domain/webhooks/delivery-values.ts'
import type { EventView, ViewTypes } from '../views.ts'
import { clockMode } from './clock.ts'
import { cause, deliveryState } from './delivery.ts'
import { faultMark, faultPoint } from './fault.ts'
import {
  assumed,
  diagnosticCode,
  entryPoint,
  euros,
  instant,
  readonlyList,
  recordedFields,
  statusText,
  type SchemasOf,
} from './fields.ts'
import { InvoiceSchema } from './invoice.ts'
import { paymentMethod, LinkSchema } from './link.ts'
import { MapSchema } from './map.ts'

type DifferingTypes = 'amount' | 'link' | 'invoice' | 'deliveryState' | 'instant' | 'target' | 'location'

/** The schemas of field types that are the same in the journal and in views. */
export const commonFieldSchemas: SchemasOf<Omit<FieldTypes, DifferingTypes>> = {
  text: z.string(),
  texts: readonlyList(z.string()),
  textByName: z.record(z.string(), z.string()).readonly(),
  integer: z.int(),
  number: z.number(),
  boolean: z.boolean(),
  address: z.string(),
  maps: readonlyList(MapSchema),
  assumptions: assumed,
  diagnosticCode,
  severity: z.enum(severities),
  faultMark,
  faultPoint,
  entryPoint,
  responseCode: z.union([z.literal(0), z.literal(1)]),
  paymentMethod,
  disputeOutcome: z.enum(['won', 'lost']),
  statusText,
  deliveryCause: cause,
  attemptErrorCode: z.enum(attemptErrorCodes),
  hostScope: z.enum(['public', 'mixed']),
  clockMode,
  resetTo: z.enum(['seed', 'empty']),
}

const viewFieldSchemas: SchemasOf<ViewTypes> = {
  ...commonFieldSchemas,
  amount: euros,
  link: LinkSchema,
  invoice: InvoiceSchema,
  deliveryState,
  instant,
  target: z.string(),
  location: z.string(),
}

/** Creates a schema for each field in a table of event fields. */
export const createFieldSchemas = (
  table: Readonly<Record<string, EventField>>,
  schemas: SchemasOf<FieldTypes> | SchemasOf<ViewTypes>,
): z.ZodRawShape =>
  Object.fromEntries(Object.entries(table).map(([name, field]) => [name, createFieldSchema(field, schemas)]))

function createFieldSchema(
  field: EventField,
  schemas: SchemasOf<FieldTypes> | SchemasOf<ViewTypes>,
): z.ZodType {
  if (typeof field === 'string') return schemas[field]
  const { type, nullable, optional, description } = field
  let schema: z.ZodType = schemas[type]
  if (nullable) schema = schema.nullable()
  if (optional) schema = schema.optional()
  return description === undefined ? schema : schema.meta({ description })
}

/** The component of an event type in the OpenAPI document: `LinkPaidEvent` for `link.paid`. */
const componentOf = (type: EventType): z.core.GlobalMeta =>
  type === 'diagnostic.found'
    ? { id: 'Diagnostic', description: 'A finding about a request or an answer of your app.' }
    : {
        id: `${type.replaceAll(/(?:^|[^a-z])([a-z])/g, (_match, letter: string) => letter.toUpperCase())}Event`,
      }

/** The schema of each event type. */
const createEventSchemas = (schemas: SchemasOf<FieldTypes> | SchemasOf<ViewTypes>) =>
  Object.fromEntries(
    eventTypes.map((type) => {
      const fields = createFieldSchemas(eventFields[type], schemas)
      return [
        type,
        z.strictObject({ type: z.literal(type), ...recordedFields, ...fields }).meta(componentOf(type)),
      ]
    }),
  ) as unknown as Readonly<Record<EventType, z.ZodObject>>

const unionOf = (schemas: ReturnType<typeof createEventSchemas>) =>
  z.discriminatedUnion('type', Object.values(schemas) as unknown as [z.ZodObject])

/** Creates the schema of all events as the journal stores them. `schemas` may contain stricter schemas for some fields. */
export const createStoredEventSchema = (schemas: SchemasOf<FieldTypes>) =>
  unionOf(createEventSchemas(schemas)) as unknown as z.ZodType<RecordedEvent>

let viewSchemas: ReturnType<typeof createEventSchemas> | undefined

/** The schemas of event views. Created on demand, because only the OpenAPI documents need them, and they would delay startup. */
export const eventViewSchemas = () => (viewSchemas ??= createEventSchemas(viewFieldSchemas))

export const DiagnosticSchema = z.lazy(() => eventViewSchemas()['diagnostic.found'])

export const EventSchema = z.lazy(() =>
  unionOf(eventViewSchemas()).meta({
    id: 'Event',
    description: 'An event of the journal, with its account, link and payment.',
  }),
) as unknown as z.ZodType<EventView>
