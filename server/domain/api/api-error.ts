import { omitUndefined } from '../text/omit-undefined.ts'
import { didYouMean } from '../text/closest-match.ts'
import { MAX_AMOUNT, toEuros } from '../money/cents.ts'
import { describeRemedy, type Remedy } from '../http/control-route.ts'
import { formatMebibytes, MAX_BODY_BYTES } from '../http/limits.ts'
import type { Operation } from './operations.ts'

/**
 * The HTTP status of each kind of error. The v2 API uses it only for the rate limit, or if the behavior `errorStatus` is `http`.
 */
export const HTTP_STATUS = {
  unauthenticated: 401,
  'not-found': 404,
  conflict: 409,
  invalid: 422,
  limited: 429,
} as const

export type ApiErrorKind = keyof typeof HTTP_STATUS

/** A message in two parts: the reason, and what to do. */
interface TextWithRemedy {
  readonly reason: string
  readonly remedy: Remedy
}

type ErrorText = string | ((...params: never[]) => string | TextWithRemedy)

/** The operation for which the reference lists the error. */
type DocumentedFor = Operation | 'all' | 'none'

const documented = <const Text extends ErrorText>(
  documentedFor: Exclude<DocumentedFor, 'none'>,
  kind: ApiErrorKind,
  text: Text,
) => ({ kind, text, documentedFor })

const own = <const Text extends ErrorText>(kind: ApiErrorKind, text: Text) => ({
  kind,
  text,
  documentedFor: 'none' as const,
})

/**
 * All errors of the sandbox, by code. If the reference documents an error, the text is the same, because apps recognize an error
 * of the v2 API by its message.
 */
const errors = {
  // Authentication errors, worded as in the reference.
  tokenRejected: documented('all', 'unauthenticated', 'Incorrect token or missing token'),
  tokenMissing: documented('createSplitLink', 'unauthenticated', 'Please enter token'),
  tokenUnknown: documented('createSplitLink', 'unauthenticated', 'No user found with the provided API key.'),

  // Documented for createSplitLink.
  amountMissing: documented('createSplitLink', 'invalid', 'Please enter amount'),
  recipientUnknown: documented(
    'createSplitLink',
    'invalid',
    (index: number) => `Invalid recipient token at index ${index}`,
  ),
  recipientIsOwner: documented(
    'createSplitLink',
    'invalid',
    (index: number) => `You cannot use your own token in recipient list at index ${index}`,
  ),
  percentagesExceed: documented('createSplitLink', 'invalid', 'Share should be less than 100'),
  sharesExceed: documented(
    'createSplitLink',
    'invalid',
    (euros: number) => `Share should be less than or equal to ${euros}`,
  ),
  shareNotPositive: documented(
    'createSplitLink',
    'invalid',
    (index: number) => `Share should be greater than zero at index ${index}`,
  ),

  // Documented for refundPayment.
  payIdMissing: documented('refundPayment', 'invalid', 'Please enter pay_id'),
  refundAmountMissing: documented('refundPayment', 'invalid', 'Please enter refund_amount'),
  linkUnknown: documented('refundPayment', 'not-found', 'Invalid link ID'),
  linkCancelled: documented('refundPayment', 'conflict', 'Link is cancelled'),
  refundRequested: documented('refundPayment', 'conflict', 'Refund already requested'),
  refundDisputed: documented('refundPayment', 'conflict', 'Refund blocked by dispute'),
  refundAmountInvalid: documented('refundPayment', 'invalid', 'Invalid refund amount'),

  // Other errors of the v2 API, about requests as a whole.
  operationUnknown: own('not-found', (name: string, known: readonly string[]) => {
    const hint = didYouMean(name, known) || `. The operations are ${known.join(', ')}`
    return `Unknown operation ${name || '(none)'}${hint}`
  }),
  methodNotPost: own('not-found', (method: string) => `Use POST for this operation, not ${method}`),
  contentTypeNotJson: own(
    'invalid',
    (mediaType: string) => `Content-Type should be application/json, not ${mediaType || 'missing'}`,
  ),
  bodyNotUtf8: own('invalid', 'The request body is not valid UTF-8'),
  bodyEncoded: own(
    'invalid',
    (encoding: string) => `The request body should be sent without compression, not with ${encoding}`,
  ),
  bodyNotJson: own('invalid', (why: string) => `The request body is not valid JSON: ${why}`),
  bodyNotObject: own('invalid', 'The request body should be a JSON object'),
  bodyTooLarge: own('invalid', `The request body should be at most ${formatMebibytes(MAX_BODY_BYTES)}`),
  bodyTooDeep: own('invalid', 'The request body is nested too deeply'),
  tooManyRequests: own('limited', (rate: string) => `Too many requests, the limit is ${rate}`),

  // Other errors of the v2 API, about fields.
  missing: own('invalid', (field: string) => `Please enter ${field}`),
  wrongType: own('invalid', (field: string, expected: string) => `${field} should be ${expected}`),
  notUnicode: own('invalid', (field: string) => `${field} contains text that is not valid Unicode`),
  amountNotPositive: own('invalid', 'amount should be greater than zero'),
  tooManyDecimals: own('invalid', (field: string) => `${field} should have at most two decimals`),
  shareDecimals: own(
    'invalid',
    (index: number) => `Share should have at most two decimals at index ${index}`,
  ),
  amountTooLarge: own('invalid', `amount should be at most ${toEuros(MAX_AMOUNT)}`),
  entryInvalid: own(
    'invalid',
    (field: string, position: number, entry: string) =>
      `${field} entry ${position} is neither an http(s) URL nor an index: ${entry}`,
  ),
  indexOutOfRange: own(
    'invalid',
    (field: string, index: string, length: number) =>
      `${field} index ${index} is out of range, the account's list has ${length} ${length === 1 ? 'entry' : 'entries'}`,
  ),
  notHttps: own(
    'invalid',
    (field: 'callback_url' | 'payment_endpoint' | null, url: string) =>
      `${field ?? "The account's payment endpoint"} should be an https URL, not ${url}`,
  ),
  tooManyEntries: own(
    'invalid',
    (field: string, most: number) => `${field} should have at most ${most} entries`,
  ),
  payIdsEmpty: own('invalid', 'pay_ids should contain at least one id'),
  payIdInvalid: own(
    'invalid',
    (entry: string) => `pay_ids contains ${entry}, expected comma-separated integers`,
  ),

  // Other errors of the v2 API, about the state of links and accounts.
  noTarget: own('conflict', (payId: number) => `No payment endpoint is configured for pay_id ${payId}`),
  resendUnpaid: own('conflict', (payId: number) => `The link with pay_id ${payId} has not been paid`),
  resendUncancelled: own(
    'conflict',
    (payId: number) => `The link with pay_id ${payId} has not been cancelled`,
  ),
  idsUsedUp: own(
    'conflict',
    'There are no ids left for another payment link. Reset the account, or the sandbox',
  ),

  // Errors of the checkout and the control API, about actions on links, refunds and webhooks.
  notPayable: own('conflict', (status: string) =>
    status === 'paid'
      ? 'The link is already paid'
      : `The link is ${describeStatus(status)} and cannot be paid`,
  ),
  notCancellable: own('conflict', 'The link is not cancellable'),
  notOpen: own(
    'conflict',
    (status: string) => `The link is ${describeStatus(status)} and cannot be cancelled`,
  ),
  notAwaiting: own(
    'conflict',
    (status: string) => `The link is ${describeStatus(status)}. It awaits no bank transfer`,
  ),
  notDeletable: own(
    'conflict',
    (status: string) => `The link is ${describeStatus(status)} and cannot be deleted`,
  ),
  cardDeclined: own('conflict', 'Your bank declined the payment. Try again, or use another card.'),
  transferNotOffered: own('conflict', 'The link does not offer bank transfer'),
  notPaid: own(
    'conflict',
    (status: string) => `The link is ${describeStatus(status)}. Only a paid link can be disputed`,
  ),
  disputeOpen: own('conflict', 'A dispute is already open for this link'),
  noOpenDispute: own('conflict', 'No dispute is open for this link'),
  noRefund: own('not-found', (payId: number) => `No refund was requested for pay_id ${payId}`),
  refundDecided: own('conflict', (state: string) => `The refund is already ${state}`),
  refundDuringDispute: own(
    'conflict',
    'Refund blocked by dispute. Close the dispute first, or reject the refund',
  ),
  refundAfterDispute: own(
    'conflict',
    'Refund blocked by dispute: the customer won it and got the money back. Reject the refund',
  ),
  notHeld: own('conflict', (state: string, id: number) => ({
    reason: `The delivery is ${state}, and only a held delivery can be allowed`,
    remedy: { route: 'POST /deliveries/:id/replay', param: { id }, effect: 'sends it again' },
  })),
  noTargetToForge: own(
    'conflict',
    (id: number) =>
      `Link ${id} has no webhook target: neither the link nor its account has a payment endpoint`,
  ),
  noOldWebhook: own('conflict', (id: number) => `Link ${id} has no webhook yet that could be sent again`),

  // Errors of the control API, about accounts, faults, maps and hosts.
  accountTaken: own('conflict', (field: string) => `Another account already has this ${field}`),
  accountOwnsLinks: own('conflict', (id: string) => ({
    reason: 'The account has payment links, which a reset removes',
    remedy: { route: 'POST /accounts/:id/reset', param: { id }, effect: 'resets it' },
  })),
  accountSharesInLinks: own(
    'conflict',
    'Payment links of other accounts give this account a share. Reset those accounts or the sandbox, then delete this account',
  ),
  accountCannotGoBack: own(
    'conflict',
    (field: string) =>
      `The account cannot be reset to its original ${field}, because another account has it now. Change that account first`,
  ),
  idBlocksUsedUp: own(
    'conflict',
    'There are no ids left for the links of another account. Delete accounts, or reset the sandbox',
  ),
  tooManyFaults: own('conflict', (most: number) => `There can be at most ${most} faults. Remove some first`),
  tooManyMaps: own('conflict', (most: number) => `There can be at most ${most} maps. Remove some first`),
  tooManyHosts: own(
    'conflict',
    (most: number) => `There can be at most ${most} allowed hosts. Remove some first`,
  ),

  // Errors of the control API, about the clock.
  clockOnlyForward: own('conflict', (now: string) => ({
    reason: `The clock can only move forward from ${now}`,
    remedy: { route: 'PUT /clock', effect: 'sets it back' },
  })),
  clockTooFar: own('invalid', (latest: string) => `The clock cannot pass ${latest}`),
  clockOverrun: own(
    'conflict',
    'The clock stopped early, because the sandbox was reset or a snapshot was restored. Move it again if necessary',
  ),
  clockStopped: own('conflict', 'The clock stopped early, because the sandbox is shutting down'),
  clockOutOfRange: own(
    'invalid',
    (earliest: string, latest: string) => `The clock accepts times from ${earliest} to ${latest}`,
  ),

  // Errors of the control API, about snapshots and resets.
  noSnapshot: own('not-found', (name: string) => ({
    reason: `There is no snapshot ${name}`,
    remedy: { route: 'GET /snapshots', effect: 'lists them' },
  })),
  snapshotReserved: own(
    'invalid',
    (name: string) => `Every reset overwrites the snapshot ${name}. Choose another name`,
  ),
  snapshotTaken: own(
    'conflict',
    (name: string) => `There is already a snapshot ${name}. Delete it, or send "replace": true`,
  ),
  uploadTaken: own(
    'conflict',
    (name: string) => `There is already a snapshot ${name}. Delete it, or upload with ?replace=true`,
  ),
  snapshotNotKept: own(
    'invalid',
    (name: string, why: string) => `The file was not saved as snapshot ${name}: ${why}`,
  ),
  snapshotUnusable: own(
    'conflict',
    (name: string, why: string) => `The snapshot ${name} cannot be restored: ${why}`,
  ),
  snapshotNotWritten: own(
    'conflict',
    (name: string, what: string, advice: string) =>
      `Snapshot ${name} could not be written: ${what}. ${advice}, then try again`,
  ),
  nothingToUndo: own(
    'conflict',
    'There is no reset to undo: there was none, or a snapshot was restored since',
  ),
  resetUndone: own('conflict', 'The last reset was already undone'),
  resetNotLast: own('conflict', 'The sandbox was reset again since. Only its last reset can be undone'),
  undoGone: own('conflict', 'The state before the last reset is no longer stored'),

  // Errors in seeds. The path of the mistake is printed before the message.
  recipientIsProduction: own(
    'invalid',
    (name: string) => `${name} is a production account, which cannot receive shares here`,
  ),
  linkOwnerIsRecipient: own('invalid', 'the owner of the link cannot be its recipient'),
  linkTaken: own('conflict', (what: string) => `another link already has ${what}`),
  invoiceTaken: own('conflict', (key: string) => `there is already an invoice of ${key}`),
  accountAmbiguous: own(
    'invalid',
    (count: number, name: string) => `${count} accounts are named ${name}. Write the id of one`,
  ),
  accountUnknown: own('invalid', (name: string, hint: string) => `there is no account ${name}${hint}`),
  recipientTokenUnknown: own(
    'invalid',
    (token: string, hint: string) => `no account has the recipient token ${token}${hint}`,
  ),
} as const

export type ApiErrorCode = keyof typeof errors

/** The field of a request that caused an error of the v2 API, such as `recipients[1].share`. */
const errorFields: { readonly [Code in ApiErrorCode]?: (...params: ErrorParams<Code>) => string | null } = {
  tokenRejected: () => 'token',
  tokenMissing: () => 'token',
  tokenUnknown: () => 'token',
  amountMissing: () => 'amount',
  amountNotPositive: () => 'amount',
  amountTooLarge: () => 'amount',
  recipientUnknown: (index) => `recipients[${index}].token`,
  recipientIsOwner: (index) => `recipients[${index}].token`,
  shareNotPositive: (index) => `recipients[${index}].share`,
  shareDecimals: (index) => `recipients[${index}].share`,
  percentagesExceed: () => 'recipients',
  sharesExceed: () => 'recipients',
  payIdMissing: () => 'pay_id',
  payIdsEmpty: () => 'pay_ids',
  payIdInvalid: () => 'pay_ids',
  refundAmountMissing: () => 'refund_amount',
  refundAmountInvalid: () => 'refund_amount',
  missing: (field) => field,
  wrongType: (field) => field,
  notUnicode: (field) => field,
  tooManyDecimals: (field) => field,
  tooManyEntries: (field) => field,
  entryInvalid: (field) => field,
  indexOutOfRange: (field) => field,
  notHttps: (field) => field,
}

/** The arguments from which an error's message is made. */
type ErrorParams<Code extends ApiErrorCode> = (typeof errors)[Code]['text'] extends (
  ...params: infer Params
) => string | TextWithRemedy
  ? Params
  : []

export interface ErrorDetails {
  readonly code: ApiErrorCode
  readonly kind: ApiErrorKind
  readonly message: string
  readonly documentedFor: DocumentedFor
  /** The field of the request that caused the error, such as `recipients[1].share`. */
  readonly field?: string
  /** What to do, at the end of the message. */
  readonly advice?: TextWithRemedy | undefined
}

/** Whether the reference lists an error for an operation. */
export const isDocumented = ({ documentedFor }: ErrorDetails, operation: string): boolean =>
  documentedFor === 'all' || documentedFor === operation

export function errorDetails<Code extends ApiErrorCode>(
  code: Code,
  ...params: ErrorParams<Code>
): ErrorDetails {
  const { kind, text, documentedFor } = errors[code]
  const field = errorFields[code]?.(...params) ?? undefined
  const write: ErrorText = text
  const written = typeof write === 'string' ? write : write(...(params as never[]))
  if (typeof written === 'string') {
    return { code, kind, message: written, documentedFor, ...omitUndefined({ field }) }
  }
  const message = `${written.reason}. ${describeRemedy(written.remedy)}`
  return { code, kind, message, documentedFor, advice: written }
}

export const errorText = <Code extends ApiErrorCode>(code: Code, ...params: ErrorParams<Code>): string =>
  errorDetails(code, ...params).message

/** Thrown to refuse a request. The unit of work is rolled back, and the caller gets the message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly details: ErrorDetails

  constructor(details: ErrorDetails) {
    super(details.message)
    this.details = details
  }

  get kind(): ApiErrorKind {
    return this.details.kind
  }

  /** The same error, with its place in a seed. */
  at(path: string): ApiError {
    return new ApiError({ ...this.details, message: `${path}: ${this.message}` })
  }
}

export const apiError = <Code extends ApiErrorCode>(code: Code, ...params: ErrorParams<Code>): ApiError =>
  new ApiError(errorDetails(code, ...params))

function describeStatus(status: string): string {
  return status === 'awaiting-transfer' ? 'waiting for a bank transfer' : status
}
