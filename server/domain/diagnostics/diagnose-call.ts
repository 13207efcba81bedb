import { nearestName } from '../text/closest-match.ts'
import { createDiagnostic, type Diagnostic } from './diagnostic.ts'
import { truncate } from '../text/truncate.ts'
import { maskSecret } from '../http/mask.ts'
import { isWholeCents } from '../money/money.ts'
import type { ErrorDetails } from '../api/api-error.ts'
import type { TargetEntry } from '../links/targets.ts'

/** The fields that an operation reads, `recipients.*.share` for the share of every recipient. */
export interface FieldNames {
  readonly names: readonly string[]
  readonly texts: readonly string[]
  readonly numbers: readonly string[]
  readonly booleans: readonly string[]
}

/** What a call looked like, and what the sandbox knows about what it named. */
export interface CallFacts {
  readonly method: string
  readonly operation: string
  readonly operations: readonly string[]
  readonly token: string
  readonly hasAuthorization: boolean
  /** Another header that holds an API key, or is named as if it did. */
  readonly keyHeader: string | undefined
  /** What the key turned out to be. */
  readonly key: 'development' | 'production' | 'recipient-token' | 'unknown'
  readonly mediaType: string
  /** The body as JSON, or as the form it was read as; `undefined` where it is neither. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly isForm: boolean
  /** Why a body that says it is JSON is not read. */
  readonly jsonError: ErrorDetails | undefined
  /** What becomes of numbers that are sent as text. */
  readonly numericStrings: 'refuse' | 'accept'
  readonly fields: FieldNames | undefined
  /** Entries of `callback_url` and `payment_endpoint`. */
  readonly callbacks: readonly TargetEntry[]
  readonly targets: readonly TargetEntry[]
  /** Positions of recipients that were named by an API key. */
  readonly keysAsRecipients: readonly number[]
  /** What the call created. */
  readonly created?: { readonly notifies: boolean; readonly twinOf: number | undefined }
  /** What the call's `pay_id`, or each of its `pay_ids`, names among the account's links. */
  readonly payments: readonly NamedPayment[]
}

interface NamedPayment {
  readonly payId: number
  /** There is no such payment, but a link with that id. */
  readonly isLinkId: boolean
  readonly equalsId: boolean
  readonly status: string | undefined
  /** In euros. */
  readonly amount: number | undefined
}

const MAX_PER_CODE = 10

/** Looks for what only worked by luck, or did not work. */
export function diagnoseCall(facts: CallFacts): Diagnostic[] {
  return [
    ...diagnoseRequest(facts),
    ...(facts.fields && facts.body ? diagnoseBody(facts, facts.fields, facts.body) : []),
    ...diagnoseOutcome(facts),
  ]
}

function diagnoseRequest({
  method,
  operation,
  operations,
  token,
  hasAuthorization,
  keyHeader,
  key,
  mediaType,
  body,
  isForm,
  jsonError,
}: CallFacts): Diagnostic[] {
  const isKnown = operations.includes(operation)
  return [
    ...diagnoseIf(
      !isKnown,
      'wrongOperation',
      () => `${truncate(operation, 100) || 'none'}${nearestName(operation, operations)}`,
    ),
    ...diagnoseIf(isKnown && method !== 'POST', 'wrongMethod', () => method),
    ...diagnoseIf(
      token === '' && hasAuthorization,
      'keyInAuthorization',
      () => 'the header Authorization and no token',
    ),
    ...diagnoseIf(
      token === '' && keyHeader !== undefined,
      'keyInOtherHeader',
      () => `the header ${keyHeader} and no token`,
    ),
    ...diagnoseIf(token !== '' && key === 'unknown', 'unknownKey', () => `the key ${maskSecret(token)}`),
    ...diagnoseIf(key === 'production', 'keyOfOtherEnvironment', () => 'the key of a production account'),
    ...diagnoseIf(
      key === 'recipient-token',
      'recipientTokenAsKey',
      () => 'a recipient token in the header token',
    ),
    ...diagnoseIf(
      isKnown && method === 'POST' && body === undefined,
      'notJson',
      () => jsonError?.message ?? (mediaType || 'no Content-Type'),
      jsonError === undefined ? {} : jsonError.code === 'bodyNotObject' ? NOT_OBJECT : BROKEN_JSON,
    ),
    ...diagnoseIf(isForm && body !== undefined, 'formBody', () => mediaType),
  ]
}

function diagnoseBody(
  { callbacks, targets, keysAsRecipients, isForm, numericStrings }: CallFacts,
  { names, texts, numbers, booleans }: FieldNames,
  body: Readonly<Record<string, unknown>>,
): Diagnostic[] {
  const leaves = [...walkLeaves(body, { left: MAX_VALUES })]
  const topLevel = names.filter((name) => !name.includes('.'))
  const isMoney = (path: string): boolean =>
    /(^|_)amount$/.test(path) || (path === 'recipients.*.share' && body.split_type === 'absolute')
  return [
    ...diagnoseEach(
      Object.keys(body).filter((name) => !topLevel.includes(name)),
      'unknownField',
      (name) => `${truncate(name, 100)}${nearestName(name, topLevel)}`,
    ),
    ...diagnoseEach(
      isForm ? [] : leaves.filter(({ path, value }) => numbers.includes(path) && isNumberText(value)),
      'numberAsText',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
      ({ value }) => (numericStrings === 'accept' && isAcceptedNumberText(value) ? ACCEPTED_TEXT : {}),
    ),
    ...diagnoseEach(
      leaves.filter(({ path, value }) => texts.includes(path) && isFiniteNumber(value)),
      'textAsNumber',
      ({ place, value }) => `${place}: ${String(value)}`,
    ),
    ...diagnoseEach(
      isForm ? [] : leaves.filter(({ path, value }) => booleans.includes(path) && isBooleanText(value)),
      'booleanAsText',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
    ),
    ...diagnoseEach(
      leaves.filter(({ path, value }) => isMoney(path) && isFiniteNumber(value) && !isWholeCents(value)),
      'floatCents',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
    ),
    ...diagnoseEach(
      keysAsRecipients,
      'keyAsRecipient',
      (index) => `recipients[${index}].token is an API key`,
    ),
    ...diagnoseEach(
      [...callbacks, ...targets].filter(({ problem }) => problem === 'out-of-range'),
      'indexOutOfRange',
      ({ reason }) => reason,
    ),
    ...diagnoseIf(
      callbacks.length > 1,
      'severalCallbackUrls',
      () => `${callbacks.length} entries in callback_url`,
    ),
  ]
}

function diagnoseOutcome({ created, payments, body }: CallFacts): Diagnostic[] {
  const isFull = body?.isFullRefund === true
  const refundAmount = body?.refund_amount
  return [
    ...diagnoseIf(
      created?.notifies === false,
      'noWebhookTarget',
      () => 'no payment_endpoint, neither in the request nor in the account',
    ),
    ...diagnoseIf(
      created?.twinOf !== undefined,
      'sameLinkTwice',
      () => `link ${created?.twinOf} has the same fields`,
    ),
    ...diagnoseEach(
      payments.filter(({ isLinkId }) => isLinkId),
      'linkIdAsPayId',
      ({ payId }) => `${payId} is the id of a link`,
    ),
    ...diagnoseEach(
      payments.filter(({ equalsId }) => equalsId),
      'payIdEqualsId',
      ({ payId }) => `${payId} is both`,
    ),
    ...(refundAmount === undefined ? [] : payments).flatMap(({ status, amount }) => [
      ...diagnoseIf(
        status === 'unused' || status === 'awaiting-transfer',
        'refundBeforePayment',
        () => `the link is ${status}`,
      ),
      ...diagnoseIf(
        isFull && status === 'paid' && typeof refundAmount === 'number' && refundAmount !== amount,
        'fullRefundAmount',
        () => `${String(refundAmount)} of ${amount}`,
      ),
    ]),
  ]
}

type Overrides = Parameters<typeof createDiagnostic>[2]

const ACCEPTED_TEXT: Overrides = { severity: 'warning' }

const BROKEN_JSON: Overrides = {
  title: 'The body cannot be read as JSON',
  expected: 'a JSON object',
  fix: 'Let a JSON encoder write the body: the type is right, what stands in the body is not.',
}

const NOT_OBJECT: Overrides = {
  title: 'The body is JSON, but not an object',
  expected: 'a JSON object, {} where there are no fields',
  fix: 'Send the fields as an object: {"amount": 10}, or {} for none. An empty list is []. In PHP, json_encode([]) writes [], and json_encode((object) $fields) writes an object, {} where $fields is empty.',
}

function diagnoseIf(
  condition: boolean,
  code: Diagnostic['code'],
  seen: () => string,
  overrides: Overrides = {},
): Diagnostic[] {
  return condition ? [createDiagnostic(code, seen(), overrides)] : []
}

/** A request with a thousand mistakes of a kind is told the first few. */
const diagnoseEach = <Item>(
  items: readonly Item[],
  code: Diagnostic['code'],
  seen: (item: Item) => string,
  overridesFor: (item: Item) => Overrides = () => ({}),
): Diagnostic[] =>
  items.slice(0, MAX_PER_CODE).map((item) => createDiagnostic(code, seen(item), overridesFor(item)))

interface Leaf {
  /** As in `recipients.*.share`. */
  readonly path: string
  /** As in `recipients[0].share`. */
  readonly place: string
  readonly value: unknown
}

const MAX_VALUES = 5_000

/** The values that hold no others, in the order of the body. Objects and lists count as values that are looked at. */
function* walkLeaves(holder: object, looked: { left: number }, within?: Leaf): Generator<Leaf> {
  for (const name of Object.keys(holder)) {
    if (looked.left-- <= 0) return
    const value: unknown = Reflect.get(holder, name)
    const leaf = within ? innerLeaf(within, holder, name, value) : { path: name, place: name, value }
    if (typeof value === 'object' && value !== null) yield* walkLeaves(value, looked, leaf)
    else yield leaf
  }
}

const innerLeaf = ({ path, place }: Leaf, holder: object, name: string, value: unknown): Leaf =>
  Array.isArray(holder)
    ? { path: `${path}.*`, place: `${place}[${name}]`, value }
    : { path: `${path}.${name}`, place: `${place}.${name}`, value }

/** JSON can hold 1e999. */
const isFiniteNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)

const isNumberText = (value: unknown): boolean =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim())

/** As numericStrings=accept does: no spaces, no zeros in front. */
const isAcceptedNumberText = (value: unknown): boolean =>
  typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)

const isBooleanText = (value: unknown): boolean =>
  typeof value === 'string' && /^(true|false|0|1|yes|no)$/i.test(value.trim())
