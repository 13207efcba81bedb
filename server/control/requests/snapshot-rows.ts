import { z } from 'zod'
import type { Account } from '../../domain/accounts/account.ts'
import { parseHostPattern } from '../../domain/network/allowed-host.ts'
import { behaviorNames } from '../../domain/behaviors/behavior.ts'
import { isInClockRange } from '../../domain/time/clock.ts'
import type { DeliveryState } from '../../domain/webhooks/delivery.ts'
import { eventTypes } from '../../domain/events/event.ts'
import { redirectFields } from '../../domain/events/event-fields.ts'
import { validateEffect } from '../../domain/faults/fault-effect.ts'
import { FIRST_BLOCK, LAST_BLOCK } from '../../domain/links/id-range.ts'
import type { TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import type { Link } from '../../domain/links/link.ts'
import { validateMapFrom, validateMapTo } from '../../domain/network/validate-map.ts'
import { MAX_AMOUNT, sum } from '../../domain/money/money.ts'
import { operations } from '../../domain/api/operations.ts'
import { isRetryWaits } from '../../domain/behaviors/retry-waits.ts'
import { isHttpUrl, isTunnelPath, validateTunnelPath, validateUrl } from '../../domain/network/urls.ts'
import { validateTunnelName } from '../../domain/network/tunnel.ts'
import type { CheckRow } from '../../store/snapshots/validate-snapshot.ts'
import type { Database, MetaTable } from '../../store/schema.ts'
import { accountFields, accountName, environment, serviceFee } from '../../contract/schemas/account-fields.ts'
import { BillingSchema } from '../../contract/schemas/account-fields.ts'
import { formatPath } from '../../contract/seed/explain-issues.ts'
import { FaultBody, MAX_STEPS, MAX_TIMES, faultStep } from './fault-body.ts'
import { unicodeText, validatedText } from '../../contract/schemas/request-fields.ts'
import { explainIssue } from './validators.ts'
import { behaviorChoice } from '../../contract/seed/seed-schema.ts'
import { MAX_PAY_ID, MAX_RECIPIENTS, MAX_TARGETS, positiveInt } from '../../contract/seed/seed-link-schema.ts'
import { accountId, clockOffsetMs, month, SeedInvoice } from '../../contract/seed/seed-schema.ts'
import { DeliverySchema } from '../../contract/schemas/delivery.ts'
import {
  commonFieldSchemas,
  createFieldSchemas,
  createStoredEventSchema,
} from '../../contract/schemas/event.ts'
import { ExchangeSchema } from '../../contract/schemas/exchange.ts'
import { faultMark, faultPoint } from '../../contract/schemas/fault.ts'
import { about } from '../../contract/schemas/fields.ts'
import { LinkSchema } from '../../contract/schemas/link.ts'
import { RefundSchema } from '../../contract/schemas/refund.ts'
import { AnswerBody, isHeaderField, ListenQuery } from './tunnel-schemas.ts'

const id = positiveInt(MAX_PAY_ID)
const count = z.int().min(0)
const cents = z.int().min(1).max(MAX_AMOUNT)
/** A share may be nothing once it is rounded, and fees are of many payments. */
const sumOfCents = z.int().min(0)

/** Times are compared as texts, so each is written in one way. A wait may lead past what the clock reaches. */
const laterTime = z.iso.datetime({
  precision: 3,
  error: 'should be a time in UTC, like 2026-12-01T00:00:00.000Z',
  abort: true,
})
const time = laterTime.refine(isInClockRange, { error: 'is out of reach of the clock' })

const tunnel = validatedText(validateTunnelName)
const target = validatedText((url) => (isTunnelPath(url) ? validateTunnelPath(url) : validateUrl(url)))
const callbackUrl = validatedText((url) => (url === '' ? null : validateUrl(url)))
const location = validatedText((url) =>
  isHttpUrl(url) || isPathHere(url) ? null : 'should be an http or https URL, or a path on the sandbox',
)

/** Resolved, as two slashes would begin another host. */
function isPathHere(url: string): boolean {
  const here = 'http://localhost'
  return url.startsWith('/') && URL.canParse(url, here) && new URL(url, here).origin === here
}

const accountRecord = {
  ...accountFields,
  id: accountId,
  name: accountName,
  environment,
  billing: BillingSchema,
} satisfies Record<keyof Account, z.ZodType>

const linkRecord = {
  ...LinkSchema.pick({ status: true, kind: true, splitType: true, paidBy: true, dispute: true }).shape,
  id,
  payId: id,
  accountId: unicodeText,
  amount: cents,
  note: unicodeText,
  recipients: z
    .array(
      z.strictObject({
        accountId: unicodeText,
        token: unicodeText,
        share: z.number().gt(0),
        amount: sumOfCents,
      }),
    )
    .max(MAX_RECIPIENTS)
    .readonly(),
  cancellable: z.boolean(),
  isQrLink: z.boolean(),
  bankTransfer: z.boolean(),
  bankStatementDescription: unicodeText,
  serviceFee,
  callbackUrl,
  paymentEndpoint: unicodeText,
  targets: z
    .array(z.strictObject({ url: target, reason: unicodeText }))
    .max(MAX_TARGETS)
    .readonly(),
  paidAt: time.nullable(),
  createdAt: time,
} satisfies Record<keyof Link, z.ZodType>

const invoiceRecord = {
  ...BillingSchema.omit({ reverseCharge: true }).shape,
  sfId: SeedInvoice.shape.sfId.unwrap(),
  invoiceId: SeedInvoice.shape.invoiceId.unwrap(),
  invoiceDate: SeedInvoice.shape.invoiceDate.unwrap(),
  accountId: unicodeText,
  serviceMonth: month,
  platformFee: sumOfCents,
  pspFee: sumOfCents,
  vat: sumOfCents,
  createdAt: time,
} satisfies Record<keyof TaxInvoice, z.ZodType>

const fieldSchemas = {
  ...commonFieldSchemas,
  amount: cents,
  link: z.strictObject(linkRecord),
  invoice: z.strictObject(invoiceRecord),
  deliveryState: z.enum(['pending', 'underway', 'delivered', 'failed', 'held'] satisfies DeliveryState[]),
  instant: laterTime,
  target,
  location,
}
const StoredEvent = createStoredEventSchema(fieldSchemas)

/** Text that is JSON of a schema. */
const json = (schema: z.ZodType) =>
  z
    .string()
    .transform((given, { addIssue }): unknown => {
      try {
        return JSON.parse(given)
      } catch {
        addIssue({ code: 'custom', message: 'should be JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)

/** A row as the store writes a record: lists and records are JSON, true and false are 1 and 0, and nothing is left out. */
const rowOf = <Row extends object>(record: Record<keyof Row & string, z.ZodType>) =>
  z.object(
    Object.fromEntries(Object.entries<z.ZodType>(record).map(([name, field]) => [name, column(field)])),
  )

function column(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodNullable) return column(field.unwrap() as z.ZodType).nullable()
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodReadonly)
    return column(field.unwrap() as z.ZodType)
  if (field instanceof z.ZodBoolean) return z.literal([0, 1]).transform((bit) => bit === 1)
  return field instanceof z.ZodArray || field instanceof z.ZodObject ? json(field) : field
}

const digits = z.string().regex(/^\d{1,15}$/, { error: 'should be a whole number as text' })

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
  taken: time,
  lastDeletedDelivery: digits,
  lastDeletedLink: digits,
  lastDeletedFault: digits,
  deletions: digits,
} satisfies Record<MetaTable['key'], z.ZodType>

/** Rows of names and values, each name with a schema of its own. */
const valuesOf = (key: string, others: z.ZodRawShape, values: readonly (readonly [string, z.ZodType])[]) =>
  z.discriminatedUnion(
    key,
    values.map(([name, value]) => z.object({ [key]: z.literal(name), value, ...others })) as unknown as [
      z.ZodObject,
    ],
    { error: `should be ${values.map(([name]) => name).join(' or ')}` },
  )

const account = rowOf<Database['account']>(accountRecord)
const invoice = rowOf<Database['invoice']>(invoiceRecord)

/** What each row of a table is, in the schema of today. */
const tables: Record<keyof Database, z.ZodType> = {
  meta: valuesOf('key', {}, Object.entries(metaValues)),
  account,
  link: rowOf<Database['link']>(linkRecord).superRefine((link, { addIssue }) => {
    const { status, amount, recipients } = link as unknown as Link
    for (const field of ['paidBy', 'paidAt', 'dispute']) {
      if (link[field] !== null && status !== 'paid') {
        addIssue({
          code: 'custom',
          path: [field],
          message: `only a paid link has one, and this is ${status}`,
        })
      }
    }
    if (sum(recipients.map((one) => one.amount)) > amount) {
      addIssue({ code: 'custom', path: ['recipients'], message: 'get more than the amount of the link' })
    }
  }),
  refund: rowOf<Database['refund']>({
    ...RefundSchema.pick({ full: true, state: true }).shape,
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
    attempts: count,
    retries: z.string().refine((waits) => waits === 'none' || isRetryWaits(waits), {
      error: 'should be none, or waits like 5s,30s,2m',
    }),
    nextAttemptAt: laterTime.nullable(),
    releasedTo: unicodeText.nullable(),
    possibleDuplicate: z.boolean(),
    replayOf: id.nullable(),
    fault: faultMark.nullable(),
    order: z.enum(['webhook-first', 'redirect-first']).nullable(),
    redirect: z.strictObject({ ...about, ...createFieldSchemas(redirectFields, fieldSchemas) }).nullable(),
    createdAt: time,
  }),
  event: rowOf<Database['event']>({
    seq: id,
    at: time,
    type: z.enum(eventTypes, { error: 'is no type of event' }),
    accountId: unicodeText.nullable(),
    linkId: id.nullable(),
    deliveryId: id.nullable(),
    data: z.looseObject({}),
    exchange: ExchangeSchema.nullable(),
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
    error: 'is another account',
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
    matched: count,
    triggered: count,
    createdAt: time,
  }).superRefine(({ on, script }, { addIssue }) => {
    for (const [index, one] of (script as string[]).entries()) {
      const objection = validateEffect(on as z.output<typeof faultPoint>, one)
      if (objection !== null) addIssue({ code: 'custom', path: ['script', index], message: objection })
    }
  }),
  egressRule: rowOf<Database['egressRule']>({
    id,
    from: unicodeText,
    to: validatedText(validateMapTo).nullable(),
    source: z.enum(['start', 'sandbox']),
  }).superRefine(({ from, to }, { addIssue }) => {
    const isHost = to === null && parseHostPattern(String(from)) !== null
    const objection = to === null ? 'should be a host' : validateMapFrom(String(from))
    if (!isHost && objection !== null) addIssue({ code: 'custom', path: ['from'], message: objection })
  }),
  pin: rowOf<Database['pin']>({ seq: id }),
  tunnel: rowOf<Database['tunnel']>({ name: tunnel, ...AnswerBody.shape }),
  capturedRequest: rowOf<Database['capturedRequest']>({ seq: id, tunnel, path: unicodeText, size: count }),
  listener: rowOf<Database['listener']>({
    tunnel,
    id: ListenQuery.shape.as,
    to: ListenQuery.shape.to,
    connections: count,
    dropped: count,
    connectedAt: time,
    awaySince: time.nullable(),
  }),
  pendingRequest: rowOf<Database['pendingRequest']>({
    tunnel,
    listener: unicodeText,
    seq: id,
    connection: count,
  }),
}

/** An event is where its row is, and a request that was captured can be sent once more. */
function checkEvent(row: Record<string, unknown>, { addIssue }: z.RefinementCtx): void {
  const { seq, at, type, accountId: owner, linkId, deliveryId, data, exchange } = row
  const parsed = StoredEvent.safeParse({ ...(data as object), seq, at })
  for (const issue of parsed.error?.issues ?? []) {
    addIssue({ code: 'custom', path: ['data', ...issue.path], message: explainIssue(issue, StoredEvent) })
  }
  if (!parsed.success) return
  const event = parsed.data
  const indexed = { type, accountId: owner, linkId, deliveryId: deliveryId ?? undefined }
  for (const [name, value] of Object.entries(indexed)) {
    if (Reflect.get(event, name) !== value) {
      addIssue({ code: 'custom', path: ['data', name], message: `differs from the column ${name}` })
    }
  }
  if (event.type !== 'tunnel.captured' || exchange === null) return
  const { request } = exchange as z.output<typeof ExchangeSchema>
  const isSendable =
    /^[A-Z-]+$/.test(request.method) &&
    /^\/tunnel\/[\u0021-\u00ff]*$/.test(event.path) &&
    request.headers.every(([name, value]) => isHeaderField(name, value))
  if (!isSendable) addIssue({ code: 'custom', path: ['exchange', 'request'], message: 'cannot be sent' })
}

/** Says what is wrong with a row of an uploaded snapshot, and with which of its fields. */
export const checkRow: CheckRow = (table, row) => {
  const schema = tables[table]
  const [issue] = schema.safeParse(row).error?.issues ?? []
  return issue ? `${formatPath(issue.path)}: ${explainIssue(issue, schema)}` : null
}
