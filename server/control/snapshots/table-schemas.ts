import { z } from 'zod'
import type { Account } from '../../domain/accounts/account.ts'
import { operations } from '../../domain/api/operations.ts'
import { behaviorNames } from '../../domain/behaviors/behavior.ts'
import { isRetryWaits } from '../../domain/behaviors/retry-waits.ts'
import { redirectFields } from '../../domain/events/event-fields.ts'
import { eventTypes } from '../../domain/events/event-fields.ts'
import { whyInvalidEffect } from '../../domain/faults/fault-effect.ts'
import { FIRST_BLOCK, LAST_BLOCK } from '../../domain/links/id-range.ts'
import type { Link } from '../../domain/links/link.ts'
import { paymentEvents } from '../../domain/webhooks/payment-events.ts'
import { sum } from '../../domain/money/cents.ts'
import { parseHostPattern } from '../../domain/network/allowed-host.ts'
import { whyInvalidMapOrigin, whyInvalidMapTarget } from '../../domain/network/validate-map.ts'
import type { Database, MetaTable } from '../../store/schema.ts'
import { accountFields } from '../../contract/schemas/account-fields.ts'
import { DeliverySchema } from '../../contract/schemas/delivery.ts'
import { createFieldSchemas } from '../../contract/schemas/event.ts'
import { faultMark, faultPoint } from '../../contract/schemas/fault.ts'
import { about } from '../../contract/schemas/fields.ts'
import { RefundSchema } from '../../contract/schemas/refund.ts'
import { unicodeText, validatedText } from '../../contract/schemas/request-fields.ts'
import { behaviorChoice, clockOffsetMs, month } from '../../contract/seed/seed-schema.ts'
import { FaultBody, faultStep, MAX_STEPS, MAX_TIMES } from '../../contract/schemas/fault-body.ts'
import { TunnelAnswerBody, ListenQuery } from '../requests/tunnel-schemas.ts'
import { checkEvent } from './check-event.ts'
import { json, rowOf, valuesOf } from './columns.ts'
import {
  accountRecord,
  unlimitedTime,
  cents,
  countSchema,
  fieldSchemas,
  id,
  invoiceRecord,
  linkRecord,
  storedBody,
  storedExchange,
  target,
  time,
  tunnel,
} from './record-schemas.ts'

const digits = z.string().regex(/^\d{1,15}$/, { error: 'should be 1 to 15 digits' })

const metaValues = {
  epoch: unicodeText.min(1),
  clock: json(
    z.discriminatedUnion('mode', [
      z.strictObject({ mode: z.literal('running'), offsetMs: clockOffsetMs }),
      z.strictObject({ mode: z.literal('frozen'), at: time }),
    ]),
  ),
  unbilled: month,
  undo: unicodeText,
  lastDeletedDelivery: digits,
  lastDeletedLink: digits,
  lastDeletedFault: digits,
  deletions: digits,
} satisfies Record<MetaTable['key'], z.ZodType>

const account = rowOf<Database['account']>(accountRecord)
const invoice = rowOf<Database['invoice']>(invoiceRecord)

/**
 * The schema of the rows of each table in the current database schema. If a column is added, the compiler asks for its field
 * here.
 */
export const tableSchemas: Record<keyof Database, z.ZodType> = {
  meta: valuesOf('key', {}, Object.entries(metaValues)),
  account,
  link: rowOf<Database['link']>(linkRecord).superRefine((link, { addIssue }) => {
    const { status, amount, recipients } = link as unknown as Link
    for (const field of ['paidBy', 'paidAt', 'dispute']) {
      if (link[field] !== null && status !== 'paid') {
        addIssue({
          code: 'custom',
          path: [field],
          message: `only a paid link has this field, and this link is ${status}`,
        })
      }
    }
    if (sum(recipients.map((recipient) => recipient.amount)) > amount) {
      addIssue({ code: 'custom', path: ['recipients'], message: 'get more than the amount of the link' })
    }
  }),
  refund: rowOf<Database['refund']>({
    ...RefundSchema.shape,
    payId: id,
    linkId: id,
    accountId: unicodeText,
    amount: cents,
    requestedAt: time,
    decidedAt: time.nullable(),
  }),
  invoice,
  delivery: rowOf<Database['delivery']>({
    ...DeliverySchema.pick({ status: true, cause: true }).shape,
    id,
    accountId: unicodeText,
    linkId: id,
    payId: id,
    target,
    reason: unicodeText,
    contentType: z.string().regex(/^[\x20-\x7e]+$/, { error: 'should be visible ASCII characters' }),
    body: unicodeText,
    state: fieldSchemas.deliveryState,
    attempts: countSchema,
    retries: z.string().refine((waits) => waits === 'none' || isRetryWaits(waits), {
      error: 'should be none, or waits like 5s,30s,2m',
    }),
    nextAttemptAt: unlimitedTime.nullable(),
    allowedTo: unicodeText.nullable(),
    possibleDuplicate: z.boolean(),
    replayOf: id.nullable(),
    fault: faultMark.nullable(),
    createdAt: time,
  }),
  plan: rowOf<Database['plan']>({
    id: unicodeText,
    linkId: id,
    steps: z.array(
      z.strictObject({
        redirect: z.literal(true).optional(),
        page: z.enum(['Success', 'cancel']).optional(),
        webhooks: z.array(id).optional(),
      }),
    ),
    awaitsResponse: z.boolean(),
    redirect: z
      .strictObject({
        redirect: z.strictObject({ ...about, ...createFieldSchemas(redirectFields, fieldSchemas) }),
        isLost: z.boolean(),
      })
      .nullable(),
    afterRefund: z.array(z.enum(paymentEvents)),
  }),
  event: rowOf<Database['event']>({
    seq: id,
    at: time,
    type: z.enum(eventTypes, { error: 'is not an event type' }),
    accountId: unicodeText.nullable(),
    linkId: id.nullable(),
    deliveryId: id.nullable(),
    data: z.looseObject({}),
    exchange: storedExchange.nullable(),
    requestBody: storedBody.nullable(),
    responseBody: storedBody.nullable(),
  }).superRefine(checkEvent),
  behavior: valuesOf(
    'name',
    { scope: unicodeText },
    behaviorNames.map((name) => [name, behaviorChoice(name)]),
  ),
  formerKey: rowOf<Database['formerKey']>({ apiKey: accountFields.apiKey }),
  idBlock: rowOf<Database['idBlock']>({
    number: z.int().min(FIRST_BLOCK).max(LAST_BLOCK),
    accountId: unicodeText,
    position: z.int().min(1),
  }),
  accountOriginal: rowOf<Database['accountOriginal']>({
    accountId: unicodeText,
    account,
    invoices: z.array(invoice),
  }).refine((row) => (row.account as Account).id === row.accountId, {
    path: ['account'],
    error: 'is a different account',
  }),
  fault: rowOf<Database['fault']>({
    id,
    on: faultPoint,
    accountId: unicodeText.nullable(),
    operation: z.enum(operations).nullable(),
    target: faultStep.nullable(),
    script: z.array(faultStep).min(1).max(MAX_STEPS),
    times: z.int().min(1).max(MAX_TIMES).nullable(),
    probability: FaultBody.shape.probability,
    seed: FaultBody.shape.seed,
    matched: countSchema,
    triggered: countSchema,
    createdAt: time,
  }).superRefine(({ on, script }, { addIssue }) => {
    for (const [index, step] of (script as string[]).entries()) {
      const objection = whyInvalidEffect(on as z.output<typeof faultPoint>, step)
      if (objection !== null) addIssue({ code: 'custom', path: ['script', index], message: objection })
    }
  }),
  egressRule: rowOf<Database['egressRule']>({
    id,
    from: unicodeText,
    to: validatedText(whyInvalidMapTarget).nullable(),
    source: z.enum(['start', 'sandbox']),
  }).superRefine(({ from, to }, { addIssue }) => {
    const isHost = to === null && parseHostPattern(String(from)) !== null
    const objection = to === null ? 'should be a host' : whyInvalidMapOrigin(String(from))
    if (!isHost && objection !== null) addIssue({ code: 'custom', path: ['from'], message: objection })
  }),
  tunnel: rowOf<Database['tunnel']>({ name: tunnel, ...TunnelAnswerBody.shape }),
  capturedRequest: rowOf<Database['capturedRequest']>({
    seq: id,
    tunnel,
    path: unicodeText,
    size: countSchema,
  }),
  listener: rowOf<Database['listener']>({
    tunnel,
    id: ListenQuery.shape.listener,
    to: ListenQuery.shape.to,
    connections: countSchema,
    dropped: countSchema,
    connectedAt: time,
    awaySince: time.nullable(),
  }),
  pendingRequest: rowOf<Database['pendingRequest']>({
    tunnel,
    listener: unicodeText,
    seq: id,
    connection: countSchema,
  }),
}
