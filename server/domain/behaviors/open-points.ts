import { MAX_JSON_DEPTH } from '../http/json-depth.ts'
import { formatMebibytes, MAX_BODY_BYTES } from '../http/limits.ts'
import { MAX_RECIPIENTS, MAX_RESENT_PAY_IDS, MAX_TARGETS } from '../links/limits.ts'
import { PSP_FEE, VAT_PERCENT } from '../money/fee-rates.ts'
import { MAX_AMOUNT, toEuros } from '../money/cents.ts'
import { formatSeconds, WEBHOOK_TIMEOUT_MS } from '../webhooks/limits.ts'
import { isEventOrderText } from '../webhooks/payment-events.ts'
import type { OpenPointGroup } from './open-point-groups.ts'
import { isRetryWaits, MAX_WAIT_DAYS, MAX_WAITS } from './retry-waits.ts'

/** A point that the API reference leaves open, and that has several options. */
interface BehaviorRow {
  readonly group: OpenPointGroup
  /** The meaning of each option. The first option is the default. */
  readonly options: Readonly<Record<string, string>>
  /** Further values of the behavior, described by a pattern. */
  readonly pattern?: {
    /** How the values are written, for people: `<n>/min`. */
    readonly text: string
    /** An explanation that follows `text` in a message. */
    readonly hint?: string
    readonly meaning: string
    /** The value that `exec --matrix` tries. */
    readonly example: string
    /** True if `exec --matrix` tries the example only if the behavior is named. */
    readonly isTriedOnlyIfNamed?: true
    /** A type guard. The type of the setting is inferred from it. */
    readonly matches: (value: string) => boolean
  }
  /** What the API reference says about the point. */
  readonly reference: string
  /** What applies to all options. */
  readonly note?: string
  /** How to write code that works with every option. */
  readonly advice: string
  /** True if `exec --matrix` varies the behavior only if it is named, because many suites fail with it by design. */
  readonly isVariedOnlyIfNamed?: true
}

interface FixedAssumptionRow {
  readonly group: OpenPointGroup
  readonly reference: string
  readonly assumption: string
  /** Why the assumption is safe. */
  readonly reason: string
}

/** Whether a text is a number of calls per minute. */
const isRate = (value: string): value is `${bigint}/min` => /^[1-9]\d{0,5}\/min$/.test(value)

/**
 * The points that users can switch. Each row has everything about a behavior. Operations read the active option through
 * `ActiveBehaviors`. README, help, inspector, matrix and OpenAPI documents are made from the rows.
 */
export const behaviors = {
  payId: {
    group: 'links',
    options: {
      same: 'pay_id equals id.',
      distinct:
        'id counts from 1001 and pay_id from 700001. For an account that you create, pay_id is id + 5000.',
    },
    reference: 'A payment is named by its pay_id (linktopay_id). Its relation to the link id is not stated.',
    advice:
      'Store the pay_id of the webhook or the redirect with your order, and send this pay_id. Find the order by the recipient_note you gave it, which the webhook has as note (data[note]), or give each order its own webhook or callback URL. Never use the id of the link.',
  },
  cancelWebhook: {
    group: 'webhooks',
    options: {
      send: 'A cancelled payment sends a webhook with status cancel.',
      'own-endpoint':
        "A cancelled payment sends a webhook only to the link's own payment_endpoint, not to the account's.",
      skip: 'A cancelled payment sends no webhook.',
    },
    reference:
      'One passage says that a cancel sends a webhook if the link has a paymentEndpoint. Another says that none is sent.',
    note: 'This webhook has the amount of the link. sendWebhookViaPayId sends it with every option.',
    advice:
      'Do not wait for the webhook of a cancellation: close the order on the redirect, or after a deadline of your own.',
  },
  webhookEncoding: {
    group: 'webhooks',
    options: {
      form: 'The body is application/x-www-form-urlencoded.',
      json: 'The body is the same nested object as JSON.',
    },
    reference: 'The payload is shown form-encoded with bracket keys; other guidance calls the body JSON.',
    advice:
      'Parse the body by its Content-Type: a form with bracket keys (data[pay_id]), or the same nested object as JSON.',
  },
  formEncoding: {
    group: 'webhooks',
    options: {
      encoded: 'Brackets are %5B and %5D, and a space is +.',
      literal: 'Brackets stay as they are, and a space is %20.',
    },
    reference:
      'The keys of a form have brackets. The reference does not say which characters are percent-encoded.',
    note: 'Without a note, data[note] is empty.',
    advice: 'Decode keys and values with the form parser of your framework, and do not search the raw text.',
  },
  statusText: {
    group: 'webhooks',
    options: { documented: 'Success and cancel.', lowercase: 'success and cancel.' },
    reference:
      'Notifications have the status Success or cancel. The reference does not say whether capitals can vary.',
    advice: 'Compare the status without regard to case.',
  },
  errorStatus: {
    group: 'errors',
    options: {
      ok: 'Every error has HTTP 200, and ResponseCode decides.',
      http: 'An error has HTTP 401 for a wrong token, 404 for an unknown link or operation, 409 if the state of the link forbids the operation, and otherwise 422.',
    },
    reference: 'The reference does not say which HTTP status an error response has.',
    advice: 'Read the body for every HTTP status, and let ResponseCode decide.',
  },
  requestBody: {
    group: 'errors',
    options: {
      json: 'Any other body is refused.',
      'json-or-form':
        'Forms with bracket keys like recipients[0][token] are also read, as PHP reads them. Indexes must count from 0 without gaps.',
      'json-or-any-form':
        'Forms may also alternate recipients[][token] and recipients[][share], as in Rails, or have recipients as JSON text. JSON that is labelled as a form is read as JSON.',
    },
    reference:
      'Requests have a JSON body and Content-Type application/json. The reference does not say how other requests are answered.',
    advice: 'Send JSON with Content-Type application/json.',
  },
  rateLimit: {
    group: 'errors',
    options: { none: 'There is no limit.' },
    pattern: {
      text: '<n>/min',
      meaning:
        'An account has n calls in any 60 seconds. Further calls get an error with HTTP 429 and Retry-After.',
      example: '60/min',
      matches: isRate,
    },
    reference: 'The reference does not say whether calls are limited.',
    advice: 'On HTTP 429, wait as long as Retry-After says and call again.',
    isVariedOnlyIfNamed: true,
  },
  indexOutOfRange: {
    group: 'links',
    options: {
      refuse:
        'The link is not created, even if the entry would not be used, like the 9 in callback_url "0,9".',
      'refuse-used':
        'The link is not created if the entry would be used: any entry of payment_endpoint, or the first one of callback_url.',
      ignore: 'The entry is ignored: callback_url "9,0" is index 0.',
      'ignore-field':
        "The whole field counts as empty: callback_url shows the default page, and payment_endpoint is the account's.",
    },
    reference:
      'Only the first URL of callback_url is used. The reference does not say what happens if an index is past the end of a URL list.',
    advice: "Name URLs, or indexes that the account's list has.",
  },
  resendUnpaid: {
    group: 'webhooks',
    options: {
      refuse: "A status that is not the link's outcome is refused, and nothing is sent for any of the ids.",
      send: 'The webhook is sent with the requested status.',
    },
    reference:
      'The reference does not say what sendWebhookViaPayId does with a status that is not the outcome of the link, like Success for an unpaid link.',
    note: 'Only paid links (Success) and cancelled links (cancel) have an outcome.',
    advice:
      'Request only the status that the payment ended with, and accept a webhook that repeats what you know already.',
  },
  amountText: {
    group: 'webhooks',
    options: { shortest: '100 and 10.5.', 'two-decimals': '100.00 and 10.50.' },
    reference: 'The amount in a webhook is a number. The reference does not say with how many decimals.',
    advice: 'Read the amount as a decimal number and compare cents, never the text.',
  },
  numericStrings: {
    group: 'errors',
    options: {
      refuse: 'A number sent as a string is refused.',
      accept: 'A string is read as the number if JSON would write the number like that: 100, 0.5 or -7.',
      'any-spelling': 'A string may also be spelled in other ways, like " +0100.50 ", .5 or 1e2.',
    },
    reference:
      'amount, share and similar fields are numbers. The reference does not say whether a string like "100" is accepted.',
    note: 'In a form, every value is a string, so numbers in forms are always read as with accept.',
    advice: 'Send numbers without quotes.',
  },
  retries: {
    group: 'webhooks',
    options: { none: 'There is one attempt. sendWebhookViaPayId or a replay sends the webhook again.' },
    pattern: {
      text: '<waits>',
      hint: `like 5s,30s,2m,1h: at most ${MAX_WAITS} of them, each from 1s to ${MAX_WAIT_DAYS}d`,
      meaning:
        'The webhook is sent again after each of these waits until an attempt gets a 2xx answer, like 5s,30s,2m,1h. A change applies to webhooks that are queued later.',
      example: '1s,5s',
      matches: isRetryWaits,
    },
    reference: 'The reference does not say whether a failed webhook is sent again.',
    advice: 'Accept a repeated webhook: answer 2xx and do nothing twice.',
  },
  order: {
    group: 'redirects',
    options: {
      together: 'Both are sent at once, and either can arrive first.',
      'webhook-first':
        'The redirect waits until the first attempt of every webhook of the payment has ended, successful or not.',
      'redirect-first':
        "The webhooks wait until the redirect was answered to the customer's browser, or its connection was closed.",
    },
    pattern: {
      text: '<events>',
      hint: 'like redirect,success,cancel',
      meaning:
        'A payment sends the listed notifications one after another. The sandbox itself opens the page of each redirect, and redirects the browser of the customer at the end. After a cancel, redirect and webhook are sent at once.',
      example: 'redirect,success,success',
      isTriedOnlyIfNamed: true,
      matches: isEventOrderText,
    },
    reference:
      'The reference does not say whether redirect or webhook arrives first, or whether a payment has several notifications, such as Success twice.',
    note: 'If no browser follows the redirect, nothing waits for one.',
    advice:
      'Create the order before the customer opens the pay link, and accept webhook and redirect in either sequence, or one without the other. Accept a repeated webhook: answer 2xx and do nothing twice.',
  },
  https: {
    group: 'links',
    options: {
      optional: 'Addresses may be http, because a laptop rarely has a certificate.',
      required:
        "A link is not created if its redirect or a webhook would go to an http URL, including the account's payment endpoint. A path on the sandbox is accepted.",
    },
    reference:
      'Calls to the service go over HTTPS only. The reference does not say whether the addresses of redirects and webhooks must be https as well.',
    note: 'The sandbox also answers calls over plain HTTP, with both options.',
    advice: 'Name addresses that begin with https. On a laptop without a certificate, keep it optional.',
    isVariedOnlyIfNamed: true,
  },
  amountDecimals: {
    group: 'amounts',
    options: {
      refuse: 'An amount with more than two decimals is refused.',
      round: 'An amount is rounded to the cent, half a cent up, before it is checked.',
    },
    reference: 'The reference does not say how many decimals amounts and shares can have.',
    note: 'The same applies to absolute shares. Percentages have any number of decimals. Numbers are read as 64-bit floats, so 70.069999999999993 is 70.07.',
    advice: 'Calculate in cents, and send euros with at most two decimals.',
  },
  booleanAsText: {
    group: 'errors',
    options: {
      refuse: 'A boolean sent as a string or as a number is refused.',
      accept: '"true", "1" and 1 are read as true, "false", "0" and 0 as false.',
    },
    reference:
      'cancellable, is_qr_link and isFullRefund are booleans. The reference does not say whether a string like "false" is accepted.',
    note: 'In a form, every value is a string, so booleans in forms are always read as with accept.',
    advice: 'Send true or false without quotes.',
  },
  textAsNumber: {
    group: 'errors',
    options: {
      refuse: 'A string sent as a number is refused.',
      accept: 'A number is read as the string, so that the callback_url 0 is the first URL.',
    },
    reference:
      'Addresses, indexes, pay_ids, notes and tokens are strings. The reference does not say whether a number is accepted, like 0 as an index.',
    advice: 'Send indexes, lists of pay_ids, notes and tokens in quotes.',
  },
  missingToken: {
    group: 'errors',
    options: {
      special:
        'createSplitLink answers "Please enter token". Every other operation answers "Incorrect token or missing token".',
      common: 'Every operation answers "Incorrect token or missing token".',
    },
    reference:
      'The reference has two messages for a missing token. It shows one of them for createSplitLink.',
    advice: 'Treat both messages as the same error.',
  },
  unknownToken: {
    group: 'errors',
    options: {
      special:
        'createSplitLink answers "No user found with the provided API key." Every other operation answers "Incorrect token or missing token".',
      common: 'Every operation answers "Incorrect token or missing token".',
    },
    reference: 'The reference has two messages for an invalid key. It shows one of them for createSplitLink.',
    note: 'Every operation answers a production key with "Incorrect token or missing token".',
    advice: 'Treat both messages as the same error.',
  },
  invoiceMonth: {
    group: 'invoices',
    options: {
      billed: 'It filters by the month that the invoice is about: 2026-06 finds the invoice of 1 July.',
      issued: 'It filters by the month in which the invoice was issued: 2026-07 finds the invoice of 1 July.',
    },
    reference: 'The reference does not say by which month date filters.',
    advice: 'List the invoices without date, and compare service_month and invoice_date.',
  },
  wonDispute: {
    group: 'refunds',
    options: {
      blocks: 'A dispute that the customer won blocks a refund.',
      allows: 'Only an open dispute blocks a refund.',
    },
    reference:
      'An active dispute blocks a refund. The reference does not say whether a dispute that the customer has won still blocks it.',
    advice: 'Request no refund for a payment whose dispute returned the money.',
  },
  resendStatus: {
    group: 'webhooks',
    options: {
      'any-case':
        'SUCCESS is read as Success, and Cancel as cancel. Any other text is refused, and nothing is sent.',
      refuse: 'Any other text is refused, and nothing is sent.',
      'as-given': 'Any other text is sent as it is.',
    },
    reference:
      'The reference does not say what sendWebhookViaPayId does with a status other than Success and cancel.',
    advice: 'Request Success or cancel. In the receiver, ignore a webhook whose status you do not know.',
  },
} as const satisfies Record<string, BehaviorRow>

/** The points that the reference leaves open and that nobody can switch, with what the sandbox does. */
export const fixedAssumptions = {
  checkOrder: {
    group: 'errors',
    reference: 'The reference does not say which error is checked first.',
    assumption:
      'First the limit of calls, then the operation, its method, the token, the body as a whole, and each field in the sequence of the reference. createSplitLink then checks each recipient, the total, and the addresses. refundPayment then follows its error table.',
    reason: 'Code that sends correct requests does not notice the sequence.',
  },
  ownWording: {
    group: 'errors',
    reference: 'The reference does not say which errors exist beyond the listed ones.',
    assumption:
      'Every other wrong request gets an error message of the sandbox. A missing token of a recipient counts as an unknown token.',
    reason: 'Mistakes fail while you develop, with a message that names them.',
  },
  requestEncoding: {
    group: 'errors',
    reference: 'The reference does not say whether a request body may be compressed.',
    assumption:
      'Bodies are not decompressed. The header Content-Encoding is ignored if the body can be read without it.',
    reason: 'An app that sends plain bodies works in any case.',
  },
  bodyLimits: {
    group: 'errors',
    reference: 'The reference does not say how large a request body can be.',
    assumption: `A body has at most ${formatMebibytes(MAX_BODY_BYTES)}, and its lists and objects are nested at most ${MAX_JSON_DEPTH} deep.`,
    reason: 'The largest useful request is far smaller.',
  },
  emptyBody: {
    group: 'errors',
    reference:
      'Requests have a JSON body. The reference does not say whether an operation without required fields needs one.',
    assumption: 'An empty body of getTaxInvoiceList is read as {}. Other operations refuse it.',
    reason: 'Nothing that the operation needs is missing.',
  },
  optionalFields: {
    group: 'errors',
    reference:
      'The reference does not say what null and empty texts mean, nor the defaults of is_qr_link and isFullRefund.',
    assumption: 'null and an empty text count as a missing field. The defaults are false.',
    reason: 'Many JSON writers send null, and forms send an empty text.',
  },
  unknownFields: {
    group: 'errors',
    reference: 'The reference does not say what happens to a field that it does not list.',
    assumption: 'The field is ignored, including fields of a recipient.',
    reason: 'A finding names the field, so you notice a misspelled name.',
  },
  refundUnpaid: {
    group: 'refunds',
    reference: 'The reference does not say how a refund is answered if the link was never paid.',
    assumption: 'The request is refused with "Invalid link ID".',
    reason: 'The reference lists this message.',
  },
  fullRefundAmount: {
    group: 'refunds',
    reference: 'The reference does not say what happens if isFullRefund is sent with another amount.',
    assumption: 'The request is refused with "Invalid refund amount".',
    reason: 'A wrong guess would return the wrong sum.',
  },
  rejectedRefund: {
    group: 'refunds',
    reference:
      'A link can have one refund request. The reference does not say whether a rejected one counts.',
    assumption: 'A rejected refund still counts as the one request.',
    reason: 'An app that handles this refusal works in any case.',
  },
  disputeOutcome: {
    group: 'refunds',
    reference:
      'The reference does not say whether a dispute that the customer has lost still blocks a refund, nor what a dispute does to a refund that was requested before it.',
    assumption:
      'A dispute that the customer lost blocks nothing. A refund that was requested before the dispute stays pending. The operator can approve it only when no dispute blocks it.',
    reason: 'No money is returned twice.',
  },
  shareRounding: {
    group: 'amounts',
    reference:
      'The reference does not say how percentage shares are rounded, nor how precisely they are added up.',
    assumption:
      'Each payout is rounded down to the cent, and the owner keeps the rest. Shares are added up to 15 digits, so three shares of 33.333333333333336 make 100.',
    reason: 'No cent is created or lost.',
  },
  payoutFees: {
    group: 'amounts',
    reference: 'The reference does not say whether fees reduce what recipients and owner get.',
    assumption: 'They do not: the whole amount is paid out, and fees are only on the invoice.',
    reason: 'No answer and no webhook shows payouts, so no app depends on them.',
  },
  amountLimit: {
    group: 'amounts',
    reference: 'The reference does not say how large an amount can be.',
    assumption: `An amount is at most ${toEuros(MAX_AMOUNT)}.`,
    reason: 'Sums are exact up to there.',
  },
  createLink: {
    group: 'links',
    reference: 'The reference names only the field amount of createLink, and does not say what it answers.',
    assumption:
      'It has the fields of createSplitLink except recipients and split_type, plus bank_transfer (a boolean, or "true" or "false" as text) and bank_statement_description. In its answer, recipients is null, is_split_link is "false" and transaction_type is Basic.',
    reason: 'The reference documents these fields for the other kind of link.',
  },
  linkFields: {
    group: 'links',
    reference:
      'The reference does not say what servicefee, bank_transfer, payment_config and bank_statement_description mean.',
    assumption:
      "servicefee is the account's fee in percent. bank_transfer says whether the checkout offers bank transfer. payment_config is always empty. qr_img is empty unless is_qr_link was set.",
    reason: 'No payment depends on these fields.',
  },
  linkId: {
    group: 'links',
    reference: 'The reference does not say what a link_id looks like.',
    assumption: 'link_id is the base64 of pay_id, percent-encoded in the pay link.',
    reason: 'Code that uses the pay link as a whole does not notice.',
  },
  storedUrls: {
    group: 'links',
    reference:
      'The reference does not say whether indexes are resolved when a link is created or when it is paid.',
    assumption:
      "Indexes are resolved when the link is created. If a link has no target, its webhooks go to the account's payment endpoint at the time of sending.",
    reason: 'Customers with an open link return to the same page even if the account changes.',
  },
  addresses: {
    group: 'links',
    reference: 'The reference does not say which addresses are valid, nor how the service writes them.',
    assumption:
      'Addresses begin with http:// or https://. Others, such as myapp://done, are refused. A comma ends an entry, so write %2C for a comma in an address. Empty entries, outer spaces and leading zeros of indexes are ignored. Answers repeat an address as it was sent.',
    reason: 'An unusual address fails while you develop, not when a customer pays.',
  },
  linkStates: {
    group: 'links',
    reference: 'A new link is Unused. Other statuses and the transitions between them are not shown.',
    assumption:
      'A link is paid or cancelled once, and never expires. A declined card or a rejected transfer sends no notification, and the link can be paid again. While the link waits for a bank transfer, it can be neither paid nor cancelled.',
    reason: 'Nothing is paid twice, and no transfer is lost to a cancellation.',
  },
  resendAnswer: {
    group: 'webhooks',
    reference:
      'The reference does not say what sendWebhookViaPayId answers, nor how strictly it reads pay_ids.',
    assumption:
      'Once every webhook is queued, it answers ResponseCode 1 with "Webhook has been sent successfully" and no data. If an id is unknown, it sends nothing and answers "Invalid link ID". Empty entries and leading zeros in pay_ids are ignored.',
    reason: 'You can repeat the call after an error.',
  },
  invoiceSearch: {
    group: 'invoices',
    reference: 'The reference does not say what search matches.',
    assumption:
      'It finds text within the invoice id, the service month or the company. Case does not matter.',
    reason: 'Too many invoices are better than too few.',
  },
  invoiceOrder: {
    group: 'invoices',
    reference:
      'The reference does not say how invoices are sorted, how many a page can hold, nor what a page after the last one has.',
    assumption:
      'The newest invoice comes first, limit has no maximum, and a page after the last one is empty.',
    reason: 'An app usually needs the newest invoice.',
  },
  invoiceFees: {
    group: 'invoices',
    reference:
      'Invoices are generated on the 1st for the month before. The reference does not say how fees and VAT are computed, and what refunds do to them.',
    assumption: `An account with payments in the month gets one invoice, on the 1st at 00:00 in Berlin. The platform fee is the link's service fee in percent of the amount, the PSP fee is €${toEuros(PSP_FEE)} per payment, and VAT is ${VAT_PERCENT} % of both, or 0 for reverse-charge. Each sum is rounded half up to the cent. Refunds and disputes do not return fees.`,
    reason: 'Each payment is billed once at most.',
  },
  invoiceNumbers: {
    group: 'invoices',
    reference:
      'invoice_id begins with YYYYMM. The reference does not say which month that is, nor what the ten characters are.',
    assumption: 'It is the month of issue. The characters are digits and the letters A to F.',
    reason: 'Code that treats the number as text does not notice.',
  },
  webhookSignature: {
    group: 'webhooks',
    reference: 'The reference shows no signature and no authentication of webhooks.',
    assumption: 'Webhooks are not signed.',
    reason: 'An app that requires a signature fails if the service sends none.',
  },
  webhookAnswer: {
    group: 'webhooks',
    reference:
      'A receiver answers with any 2xx status. The reference does not say how long it may take, nor whether redirects are followed.',
    assumption: `A receiver has ${formatSeconds(WEBHOOK_TIMEOUT_MS)}. A late answer or a redirect is a failed attempt.`,
    reason: 'A receiver that answers 2xx within a few seconds works with any time limit.',
  },
  transferRedirect: {
    group: 'redirects',
    reference: 'The reference does not say when the browser returns after a bank transfer.',
    assumption: 'The browser shows a page that waits, and returns when the operator approves the transfer.',
    reason: 'An app that relies on the webhook does not notice.',
  },
  redirectQuery: {
    group: 'redirects',
    reference:
      'pay_id and status are appended to the URL. The reference does not say what happens if its query has them already.',
    assumption: 'They are appended again, before a fragment.',
    reason: 'An app whose address has neither does not notice.',
  },
  repeatedEntries: {
    group: 'links',
    reference:
      'The reference does not say what happens if a target, a recipient or a pay_id is named twice, nor how many are allowed.',
    assumption: `Every entry counts: a target gets two webhooks, and a recipient both shares. At most ${MAX_TARGETS} targets, ${MAX_RESENT_PAY_IDS} pay_ids and ${MAX_RECIPIENTS} recipients are accepted.`,
    reason: 'A receiver must accept repeated webhooks anyway.',
  },
  serverTime: {
    group: 'errors',
    reference: 'The time zone of the server is shown by example only.',
    assumption: 'Timestamps are Europe/Berlin, and ServerTime is CET or CEST.',
    reason: 'The examples of the reference show this time zone.',
  },
} as const satisfies Record<string, FixedAssumptionRow>

export type BehaviorName = keyof typeof behaviors

export type FixedAssumptionName = keyof typeof fixedAssumptions

export type AssumptionName = BehaviorName | FixedAssumptionName

/** A behavior with the optional parts that its row may lack. */
export const behaviorRow = (name: BehaviorName): BehaviorRow => behaviors[name]

/** What the sandbox does at an open point: the meaning of every option, or its one assumption. */
function describeAssumption({ options, pattern, note }: BehaviorRow): string {
  const meanings = Object.entries(options).map(([option, meaning]) => `${option}: ${meaning}`)
  return [
    ...meanings,
    ...(pattern ? [`${pattern.text}: ${pattern.meaning}`] : []),
    ...(note ? [note] : []),
  ].join(' ')
}

export interface OpenPoint {
  readonly group: OpenPointGroup
  /** What the API reference says about the point. */
  readonly reference: string
  readonly assumption: string
  /** Why the assumption is safe. Only for a point without options. */
  readonly reason?: string
}

const describedBehaviors = Object.fromEntries(
  Object.entries<BehaviorRow>(behaviors).map(([name, row]) => [
    name,
    { group: row.group, reference: row.reference, assumption: describeAssumption(row) },
  ]),
) as Readonly<Record<BehaviorName, OpenPoint>>

/** All open points. The behaviors come first. */
export const openPoints: Readonly<Record<AssumptionName, OpenPoint>> = {
  ...describedBehaviors,
  ...fixedAssumptions,
}
