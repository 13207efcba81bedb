import { findClosestMatch } from '../text/closest-match.ts'

/** Why the service says no. Decides the HTTP status where the behavior `errorStatus` is `http`. */
export type ApiErrorKind = 'unauthenticated' | 'not-found' | 'conflict' | 'invalid' | 'limited'

/** The service turning a request down. Integrators recognise the cause by its exact message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ApiErrorKind

  constructor(kind: ApiErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The messages of the reference's Errors section, word for word. */
const documentedMessages = {
  tokenRejected: 'Incorrect token or missing token',
  tokenMissing: 'Please enter token',
  tokenUnknown: 'No user found with the provided API key.',

  amountMissing: 'Please enter amount',
  recipientUnknown: (index: number) => `Invalid recipient token at index ${index}`,
  recipientIsOwner: (index: number) => `You cannot use your own token in recipient list at index ${index}`,
  percentagesExceed: 'Share should be less than 100',
  sharesExceed: (euros: number) => `Share should be less than or equal to ${euros}`,
  shareNotPositive: (index: number) => `Share should be greater than zero at index ${index}`,

  payIdMissing: 'Please enter pay_id',
  refundAmountMissing: 'Please enter refund_amount',
  linkUnknown: 'Invalid link ID',
  linkCancelled: 'Link is cancelled',
  refundRequested: 'Refund already requested',
  refundDisputed: 'Refund blocked by dispute',
  refundAmountInvalid: 'Invalid refund amount',
} as const

/** Refusals the reference does not list. The sentences are the sandbox's own. */
const ownMessages = {
  missing: (field: string) => `Please enter ${field}`,
  wrongType: (field: string, expected: string) => `${field} should be ${expected}`,
  notUnicode: (field: string) => `${field} contains text that is not valid Unicode`,
  amountNotPositive: 'amount should be greater than zero',
  tooManyDecimals: (field: string) => `${field} should have at most two decimals`,
  shareDecimals: (index: number) => `Share should have at most two decimals at index ${index}`,
  amountTooLarge: 'amount should be at most 999999999.99',

  operationUnknown(name: string, known: readonly string[]) {
    const match = findClosestMatch(name, known)
    const help = match === undefined ? `there are ${known.join(', ')}` : `did you mean ${match}?`
    return `Unknown operation ${name || '(none)'}, ${help}`
  },
  methodNotPost: (method: string) => `Use POST for this operation, not ${method}`,
  contentTypeNotJson: (given: string) => `Content-Type should be application/json, not ${given || 'missing'}`,
  bodyNotUtf8: 'The request body is not valid UTF-8',
  bodyNotJson: (why: string) => `The request body is not valid JSON: ${why}`,
  bodyNotObject: 'The request body should be a JSON object',
  bodyTooLarge: 'The request body should be at most 1 MiB',
  bodyTooDeep: 'The request body is nested too deeply',
  tooManyRequests: (rate: string) => `Too many requests, the limit is ${rate}`,

  entryInvalid: (field: string, position: number, entry: string) =>
    `${field} entry ${position} is neither an http(s) URL nor an index: ${entry}`,
  indexOutOfRange: (field: string, index: string, length: number) =>
    `${field} index ${index} is out of range, the account's list has ${length} ${length === 1 ? 'entry' : 'entries'}`,
  notHttps: (what: string, url: string) => `${what} should be an https URL, not ${url}`,
  tooManyEntries: (field: string, most: number) => `${field} should have at most ${most} entries`,
  noTarget: (payId: number) => `No payment endpoint is configured for pay_id ${payId}`,
  payIdInvalid: (entry: string) => `pay_ids contains ${entry}, expected comma-separated integers`,
  resendUnpaid: (payId: number) => `The link with pay_id ${payId} has not been paid`,
  resendUncancelled: (payId: number) => `The link with pay_id ${payId} has not been cancelled`,

  notPayable: (status: string) =>
    status === 'paid'
      ? 'The link is paid already'
      : `The link is ${describeStatus(status)} and cannot be paid`,
  notCancellable: 'The link is not cancellable',
  notOpen: (status: string) => `The link is ${describeStatus(status)} and cannot be cancelled`,
  notAwaiting: (status: string) => `The link is ${describeStatus(status)}, no bank transfer is awaited`,
  notDeletable: (status: string) => `The link is ${describeStatus(status)} and cannot be deleted`,
  cardDeclined: 'Your bank declined the payment. Try again, or use another card.',
  transferNotOffered: 'The link does not offer bank transfer',
  notPaid: (status: string) => `The link is ${describeStatus(status)}, only a paid link can be disputed`,
  disputeOpen: 'A dispute is already open for this link',
  noOpenDispute: 'No dispute is open for this link',
  noRefund: (payId: number) => `No refund was requested for pay_id ${payId}`,
  refundDecided: (state: string) => `The refund is already ${state}`,
  refundDuringDispute: 'Refund blocked by dispute. Close the dispute first, or reject the refund',
  refundAfterDispute:
    'Refund blocked by dispute: the customer won it and has the money back. Reject the refund',
  notHeld: (state: string) => `The delivery is ${state}, only a held delivery can be released`,
  tooManyMaps: (most: number) => `There can be at most ${most} maps. Remove some first`,
  tooManyHosts: (most: number) => `There can be at most ${most} allowed hosts. Remove some first`,
  accountTaken: (field: string) => `Another account has this ${field} already`,
  clockOnlyForward: (now: string) =>
    `Time only goes forward, and it is ${now} already. PUT /_sandbox/v1/clock sets the clock back`,
  clockTooFar: (latest: string) => `The clock goes no further than ${latest}`,
  clockOverrun:
    'The clock went no further, as the sandbox was reset or a snapshot restored meanwhile. Move it again if it is still to be moved',
  clockStopped: 'The clock went no further, as the sandbox is being stopped',
  clockOutOfRange: (earliest: string, latest: string) => `The clock goes from ${earliest} to ${latest}`,
  noSnapshot: (name: string) => `There is no snapshot ${name}. GET /_sandbox/v1/snapshots lists them`,
  snapshotReserved: (name: string) => `The snapshot ${name} is taken by every reset. Choose another name`,
  snapshotTaken: (name: string) => `There is a snapshot ${name} already. Delete it, or send "replace": true`,
  uploadTaken: (name: string) =>
    `There is a snapshot ${name} already. Delete it, or upload with ?replace=true`,
  snapshotNotKept: (name: string, why: string) => `The file was not kept as snapshot ${name}: ${why}`,
  snapshotUnusable: (name: string, why: string) => `The snapshot ${name} cannot be restored: ${why}`,
  nothingToUndo:
    'There is nothing to undo: nothing was reset since the sandbox began, or a snapshot was restored',
  resetUndone: 'The last reset has been undone already',
  resetNotLast: 'The sandbox was reset again since. Only its last reset can be undone',
  undoGone: 'What was there before the last reset is not kept any more',
  accountOwnsLinks: (id: string) =>
    `The account has payment links of its own. POST /_sandbox/v1/accounts/${id}/reset takes them away; then delete it`,
  accountSharesInLinks:
    'Payment links of other accounts give this one a share. Reset those accounts, or the sandbox, and then delete it',
  accountCannotGoBack: (field: string) =>
    `The account cannot go back to the ${field} it was made with: another account has that now. Give that one another first`,
  idsUsedUp: 'There are no ids left for another payment link. Reset the account, or the sandbox',
  idBlocksUsedUp:
    'There are no ids left for the links of another account. Delete accounts, or reset the sandbox',
} as const

export const messages = {
  tooManyFaults: (most: number) => `There are ${most} faults already, take some away first`,
  noTargetToForge: (id: number) =>
    `Link ${id} has no target: neither it nor its account names a payment endpoint`,
  noOldWebhook: (id: number) => `Link ${id} has had no webhook yet that could be sent again`,
  ...documentedMessages,
  ...ownMessages,
} as const

function describeStatus(status: string): string {
  return status === 'awaiting-transfer' ? 'waiting for a bank transfer' : status
}

/** Whether a message is one that the reference lists, whatever numbers are in it. */
export const isDocumented = (message: string): boolean => documentedMessage(message) !== undefined

/** A message of the reference without its own numbers, by which it is known. `undefined` for any other. */
export function documentedMessage(message: string): string | undefined {
  const text = maskNumbers(message)
  return knownDocumentedMessages.has(text) ? text : undefined
}

const maskNumbers = (text: string): string => text.replace(/\d+(\.\d+)?/g, '0')

const knownDocumentedMessages: ReadonlySet<string> = new Set(
  Object.values(documentedMessages).map((text) => maskNumbers(typeof text === 'string' ? text : text(0))),
)

/** Messages by kind. Where a message has values in it, they are examples. */
export type MessagesByErrorKind = { readonly [Kind in ApiErrorKind]?: readonly string[] }
