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
  /** The form of further values that the behavior accepts. */
  readonly pattern?: {
    /** The form of the values in words for people: `<n>/min`. */
    readonly text: string
    /** Text that follows `text` in an error message. */
    readonly hint?: string
    readonly meaning: string
    /** The value that `exec --matrix` tries. */
    readonly example: string
    /** True if `exec --matrix` tries the example only if the behavior is named. */
    readonly isTriedOnlyIfNamed?: true
    /** A type guard, because the type of the setting follows from it. */
    readonly matches: (value: string) => boolean
  }
  /** What the API reference says about the point. */
  readonly reference: string
  /** What applies to all options. */
  readonly note?: string
  /** How to write code that works with every option. */
  readonly advice: string
  /**
   * True if `exec --matrix` varies the behavior only if the user names it, because the behavior breaks most suites on purpose.
   */
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
 * The points that users can switch. Each row defines everything about a behavior. Operations read the active option through
 * `ActiveBehaviors`. README, help, inspector, matrix and OpenAPI documents are made from these rows.
 */
export const behaviors = {
  payId: {
    group: 'links',
    options: {
      same: 'pay_id equals id.',
      distinct:
        'pay_id and id differ: id counts from 1001, and pay_id from 700001. For an account that you create, pay_id is id + 5000.',
    },
    reference:
      'A payment has a pay_id (linktopay_id). The reference does not say whether it equals the id of the link.',
    advice:
      'Store the pay_id of the webhook or the redirect with your order, and send this pay_id. To find the order of a webhook, use its note (data[note]), which is your recipient_note, or give each order its own webhook or callback URL. Never use the id of the link.',
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
      'One passage of the reference says that a cancelled payment sends a webhook if the link has a paymentEndpoint. Another says that it sends none.',
    note: 'With every option, sendWebhookViaPayId sends this webhook, with the amount of the link.',
    advice:
      'Do not wait for the webhook of a cancellation: close the order on the redirect, or after a deadline of your own.',
  },
  webhookEncoding: {
    group: 'webhooks',
    options: {
      form: 'The body is application/x-www-form-urlencoded.',
      json: 'The body is JSON with the same fields.',
    },
    reference:
      'One passage of the reference shows the body as a form with bracket keys. Another calls it JSON.',
    advice:
      'Parse the body by its Content-Type: a form with bracket keys (data[pay_id]), or JSON with the same fields.',
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
    options: {
      documented: 'The status is Success or cancel.',
      lowercase: 'The status is success or cancel.',
    },
    reference:
      'Notifications have the status Success or cancel. The reference does not say whether upper and lower case can vary.',
    advice: 'Compare the status without regard to case.',
  },
  errorStatus: {
    group: 'errors',
    options: {
      ok: 'Every error has HTTP 200. Only ResponseCode shows that it is an error.',
      http: 'An error has HTTP 401 for a wrong token, 404 for an unknown link or operation, 409 if the state of the link forbids the operation, and otherwise 422.',
    },
    reference: 'The reference does not say which HTTP status an error response has.',
    advice: 'Read the body whatever the HTTP status is. Only ResponseCode 1 is success.',
  },
  requestBody: {
    group: 'errors',
    options: {
      json: 'Only JSON is read. Any other body is refused.',
      'json-or-form':
        'A form is also read, with keys like recipients[0][token], as in PHP. Its indexes count from 0 without gaps.',
      'json-or-any-form':
        'A form may also repeat recipients[][token] and recipients[][share], as in Rails, or have recipients as JSON text. JSON with the Content-Type of a form is read as JSON.',
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
        'The link is not created, even if the index would not be used, like the 9 in callback_url "0,9".',
      'refuse-used':
        'The link is not created if the index would be used. Every entry of payment_endpoint is used, but only the first one of callback_url.',
      ignore: 'The index is ignored: callback_url "9,0" is index 0.',
      'ignore-field':
        "The whole field is ignored: the browser returns to the default page, and webhooks go to the account's payment endpoint.",
    },
    reference:
      'URLs can be given as indexes of a list of the account. The reference does not say what happens if the list has no such index.',
    advice: "Send URLs, or indexes that the account's list has.",
  },
  resendUnpaid: {
    group: 'webhooks',
    options: {
      refuse: 'The call is refused, and nothing is sent for any of the ids.',
      send: 'The webhook is sent with the requested status.',
    },
    reference:
      'The reference does not say what sendWebhookViaPayId does if the status does not fit the link, like Success for an unpaid link.',
    note: 'Success fits a paid link, and cancel a cancelled link.',
    advice:
      'Request only the status that the payment ended with, and accept a webhook that repeats what you already know.',
  },
  amountText: {
    group: 'webhooks',
    options: {
      shortest: 'Amounts look like 100 and 10.5.',
      'two-decimals': 'Amounts look like 100.00 and 10.50.',
    },
    reference: 'The amount in a webhook is a number. The reference does not say how many decimals it has.',
    advice: 'Read the amount as a decimal number and compare cents, never the text.',
  },
  numericStrings: {
    group: 'errors',
    options: {
      refuse: 'A number sent as a string is refused.',
      accept: 'A string is read as a number if JSON could write the number like this: "100", "0.5" or "-7".',
      'any-spelling': 'Other spellings are also read, like " +0100.50 ", ".5" or "1e2".',
    },
    reference:
      'amount, share and similar fields are numbers. The reference does not say whether a string like "100" is accepted.',
    note: 'In forms, accept always applies, because every value of a form is a string.',
    advice: 'Send numbers without quotes.',
  },
  retries: {
    group: 'webhooks',
    options: { none: 'The webhook is sent once. sendWebhookViaPayId or a replay sends it again.' },
    pattern: {
      text: '<waits>',
      hint: `like 5s,30s,2m,1h: at most ${MAX_WAITS} of them, each from 1s to ${MAX_WAIT_DAYS}d`,
      meaning:
        'After a failed attempt, the sandbox waits and sends the webhook again. The waits are listed, like 5s,30s,2m,1h. A change applies to later webhooks.',
      example: '1s,5s',
      matches: isRetryWaits,
    },
    reference: 'The reference does not say whether a failed webhook is sent again.',
    advice: 'Answer a repeated webhook with 2xx, and do nothing twice.',
  },
  order: {
    group: 'redirects',
    options: {
      together: 'Both are sent at once, and either can arrive first.',
      'webhook-first': 'The redirect waits for the first attempt of every webhook of the payment.',
      'redirect-first':
        "The webhooks wait until the customer's browser has got the redirect, or has closed the connection.",
    },
    pattern: {
      text: '<events>',
      hint: 'like redirect,success,cancel',
      meaning:
        "The listed notifications are sent one after another. The sandbox opens the page of each redirect itself, and redirects the customer's browser at the end. After a cancel, redirect and webhook are sent at once.",
      example: 'redirect,success,success',
      isTriedOnlyIfNamed: true,
      matches: isEventOrderText,
    },
    reference:
      'The reference does not say whether the redirect or the webhook arrives first, or whether a webhook can arrive twice.',
    note: 'Without a browser, nothing waits for a redirect.',
    advice:
      'Create the order before the customer opens the pay link. Accept webhook and redirect in either sequence, or one without the other. Answer a repeated webhook with 2xx, and do nothing twice.',
  },
  https: {
    group: 'links',
    options: {
      optional: 'Redirects and webhooks may go to http URLs, because a laptop rarely has a certificate.',
      required:
        "A link is not created if a redirect or a webhook would go to an http URL, even the account's payment endpoint. A path on the sandbox is accepted.",
    },
    reference:
      'Calls to the service must use HTTPS. The reference does not say whether redirects and webhooks must use it as well.',
    note: 'With both options, your app may call the sandbox over http.',
    advice: 'Use https URLs in production. On a laptop without a certificate, keep the option optional.',
    isVariedOnlyIfNamed: true,
  },
  amountDecimals: {
    group: 'amounts',
    options: {
      refuse: 'An amount with more than two decimals is refused.',
      round: 'An amount is rounded to the cent, half a cent up, before it is checked.',
    },
    reference: 'The reference does not say how many decimals amounts and shares can have.',
    note: 'The same applies to absolute shares. A percentage may have any number of decimals. Numbers are read as 64-bit floats, so 70.069999999999993 is 70.07.',
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
    note: 'In forms, accept always applies, because every value of a form is a string.',
    advice: 'Send true or false without quotes.',
  },
  textAsNumber: {
    group: 'errors',
    options: {
      refuse: 'A string sent as a number is refused.',
      accept: 'A number is read as a string, so the callback_url 0 is the first URL.',
    },
    reference:
      'URLs, indexes, pay_ids, notes and tokens are strings. The reference does not say whether a number like the index 0 is accepted.',
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
      'The reference has two messages for a missing token, and shows one of them only for createSplitLink.',
    advice: 'Treat both messages as the same error.',
  },
  unknownToken: {
    group: 'errors',
    options: {
      special:
        'createSplitLink answers "No user found with the provided API key." Every other operation answers "Incorrect token or missing token".',
      common: 'Every operation answers "Incorrect token or missing token".',
    },
    reference:
      'The reference has two messages for an invalid key, and shows one of them only for createSplitLink.',
    note: 'A production key always gets "Incorrect token or missing token".',
    advice: 'Treat both messages as the same error.',
  },
  invoiceMonth: {
    group: 'invoices',
    options: {
      billed: 'date is the month of the payments: 2026-06 finds the invoice of 1 July.',
      issued: 'date is the month in which the invoice was issued: 2026-07 finds the invoice of 1 July.',
    },
    reference:
      'getTaxInvoiceList filters by the month in date. The reference does not say whether this is the month of the payments or of the invoice.',
    advice: 'List the invoices without date, and filter them by service_month or invoice_date yourself.',
  },
  wonDispute: {
    group: 'refunds',
    options: {
      blocks: 'A dispute that the customer has won blocks a refund.',
      allows: 'Only an open dispute blocks a refund.',
    },
    reference:
      'An active dispute blocks a refund. The reference does not say whether a dispute that the customer has won still blocks it.',
    advice: 'If a dispute has returned the money, do not request a refund.',
  },
  resendStatus: {
    group: 'webhooks',
    options: {
      'any-case':
        'SUCCESS is read as Success, and Cancel as cancel. For any other status, the call is refused, and nothing is sent.',
      refuse: 'The call is refused, and nothing is sent.',
      'as-given': 'The webhook has the requested status.',
    },
    reference:
      'The reference does not say what sendWebhookViaPayId does with a status other than Success and cancel.',
    advice: 'Request Success or cancel. In your receiver, ignore a webhook with an unknown status.',
  },
} as const satisfies Record<string, BehaviorRow>

/** The points that the reference leaves open and that users cannot switch. */
export const fixedAssumptions = {
  checkOrder: {
    group: 'errors',
    reference: 'The reference does not say which error is checked first.',
    assumption:
      'The sandbox checks the rate limit, the operation, the method, the token, the body, and then each field in the sequence of the reference. After that, createSplitLink checks each recipient, the total, and the URLs, and refundPayment follows its error table.',
    reason: 'Correct requests do not depend on the sequence.',
  },
  ownWording: {
    group: 'errors',
    reference: 'The reference does not say which other errors exist.',
    assumption:
      'For other mistakes, the sandbox has its own error messages. A recipient without a token gets the error of an unknown token.',
    reason: 'You notice the mistake while you develop, and the message names it.',
  },
  requestEncoding: {
    group: 'errors',
    reference: 'The reference does not say whether a request body may be compressed.',
    assumption:
      'Bodies are not decompressed. If a body can be read as it is, its Content-Encoding is ignored.',
    reason: 'An app that sends plain bodies works either way.',
  },
  bodyLimits: {
    group: 'errors',
    reference: 'The reference does not say how large a request body can be.',
    assumption: `A body has at most ${formatMebibytes(MAX_BODY_BYTES)}, and its lists and objects are nested at most ${MAX_JSON_DEPTH} deep.`,
    reason: 'Real requests are far smaller.',
  },
  emptyBody: {
    group: 'errors',
    reference:
      'Requests have a JSON body. The reference does not say whether an operation without required fields needs one.',
    assumption: 'getTaxInvoiceList accepts an empty body. Other operations refuse it.',
    reason: 'getTaxInvoiceList has no required field.',
  },
  optionalFields: {
    group: 'errors',
    reference:
      'The reference does not say what null and empty texts mean, or what is_qr_link and isFullRefund are by default.',
    assumption:
      'A field with null or an empty text counts as missing. By default, is_qr_link and isFullRefund are false.',
    reason: 'Many programs send null for a missing value, and forms send an empty text.',
  },
  unknownFields: {
    group: 'errors',
    reference: 'The reference does not say what happens to an unknown field.',
    assumption: 'The field is ignored, even in a recipient.',
    reason: 'A finding names the field, so you notice a misspelled name.',
  },
  refundUnpaid: {
    group: 'refunds',
    reference: 'The reference does not say which error a refund gets if the link was never paid.',
    assumption: 'The request is refused with "Invalid link ID".',
    reason: 'The reference lists this message for refunds.',
  },
  fullRefundAmount: {
    group: 'refunds',
    reference:
      'The reference does not say what happens if isFullRefund is true, and refund_amount is not the whole amount.',
    assumption: 'The request is refused with "Invalid refund amount".',
    reason: 'If the service guessed, it could return the wrong sum.',
  },
  rejectedRefund: {
    group: 'refunds',
    reference:
      'A link can have only one refund request. The reference does not say whether you can request another one after a rejection.',
    assumption: 'After a rejection, further requests are refused.',
    reason: 'An app that handles this refusal works either way.',
  },
  disputeOutcome: {
    group: 'refunds',
    reference:
      'The reference does not say whether a dispute that the customer has lost still blocks a refund, or what a dispute does to an earlier refund request.',
    assumption:
      'A dispute that the customer has lost blocks nothing. An earlier refund request stays pending, and the operator can approve it only when no dispute blocks it.',
    reason: 'No money is returned twice.',
  },
  shareRounding: {
    group: 'amounts',
    reference:
      'The reference does not say how percentage shares are rounded, or how exactly they must add up to 100.',
    assumption:
      'Each payout is rounded down to the cent, and the owner keeps the rest. The sum of the shares has 15 digits, so three shares of 33.333333333333336 make 100.',
    reason: 'No cent is created or lost.',
  },
  payoutFees: {
    group: 'amounts',
    reference: 'The reference does not say whether fees reduce the payouts.',
    assumption: 'The whole amount is paid out, and fees are only on the invoice.',
    reason: 'No answer and no webhook shows payouts, so no app depends on them.',
  },
  amountLimit: {
    group: 'amounts',
    reference: 'The reference does not say how large an amount can be.',
    assumption: `An amount is at most ${toEuros(MAX_AMOUNT)}.`,
    reason: 'The sandbox calculates exactly up to this amount.',
  },
  createLink: {
    group: 'links',
    reference:
      'The reference names only the field amount of createLink, and does not say what createLink answers.',
    assumption:
      'createLink has the fields of createSplitLink except recipients and split_type, and also bank_transfer (a boolean, or "true" or "false" as text) and bank_statement_description. In its answer, recipients is null, is_split_link is "false" and transaction_type is Basic.',
    reason: 'The reference documents these fields for createSplitLink.',
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
    reason: 'Your app needs only the whole pay link.',
  },
  storedUrls: {
    group: 'links',
    reference: 'The reference does not say what happens to open links if the URLs of the account change.',
    assumption:
      "An index means the URL that the account had when the link was created. A link without a payment_endpoint uses the account's payment endpoint at the time of sending.",
    reason: 'Customers with an open link return to the page that your app meant.',
  },
  addresses: {
    group: 'links',
    reference: 'The reference does not say which URLs are valid, or how answers spell them.',
    assumption:
      'URLs begin with http:// or https://. Others, such as myapp://done, are refused. A comma separates two URLs, so write %2C for a comma in a URL. Empty entries, spaces around an entry and leading zeros of indexes are ignored. Answers repeat a URL as your app sent it.',
    reason: 'An unusual URL fails while you develop, not when a customer pays.',
  },
  linkStates: {
    group: 'links',
    reference:
      'A new link is Unused. The reference does not say which other statuses there are, or when they change.',
    assumption:
      'A link is paid or cancelled once, and never expires. After a declined card or a rejected transfer, it can be paid again, and no notification is sent. While it waits for a bank transfer, it can be neither paid nor cancelled.',
    reason: 'No link is paid twice, and no link is cancelled while a transfer is under way.',
  },
  resendAnswer: {
    group: 'webhooks',
    reference:
      'The reference does not say what sendWebhookViaPayId answers, or how strictly it reads pay_ids.',
    assumption:
      'When every webhook is queued, it answers ResponseCode 1 with "Webhook has been sent successfully" and no data. If an id is unknown, it sends nothing and answers "Invalid link ID". Empty entries and leading zeros in pay_ids are ignored.',
    reason: 'You can repeat the call after an error.',
  },
  invoiceSearch: {
    group: 'invoices',
    reference: 'The reference does not say in which fields search looks.',
    assumption: 'search looks in the invoice id, the service month and the company, and ignores case.',
    reason: 'Too many invoices are better than too few.',
  },
  invoiceOrder: {
    group: 'invoices',
    reference:
      'The reference does not say how invoices are sorted, how large limit can be, or what a page after the last one contains.',
    assumption:
      'The newest invoice comes first, limit has no maximum, and a page after the last one is empty.',
    reason: 'An app usually needs the newest invoice.',
  },
  invoiceFees: {
    group: 'invoices',
    reference:
      'Invoices for a month are generated on the 1st of the next. The reference does not say how fees and VAT are computed, or whether a refund returns fees.',
    assumption: `An account with payments in the month gets one invoice, on the 1st at 00:00 in Berlin. The platform fee is the link's service fee in percent of the amount, the PSP fee is €${toEuros(PSP_FEE)} per payment, and VAT is ${VAT_PERCENT} % of both, or 0 for reverse-charge. Each sum is rounded half up to the cent. Refunds and disputes do not return fees.`,
    reason: 'No payment is billed twice.',
  },
  invoiceNumbers: {
    group: 'invoices',
    reference:
      'invoice_id begins with YYYYMM, and ten characters follow. The reference does not say which month this is, or which characters can follow.',
    assumption: 'YYYYMM is the month of issue. Digits and the letters A to F follow.',
    reason: 'An app that treats invoice_id as text works either way.',
  },
  webhookSignature: {
    group: 'webhooks',
    reference: 'The reference shows no signature and no authentication of webhooks.',
    assumption: 'Webhooks are not signed.',
    reason: 'An app that requires a signature fails here, and you notice it early.',
  },
  webhookAnswer: {
    group: 'webhooks',
    reference:
      'A receiver answers with any 2xx status. The reference does not say how long it may take, or whether redirects are followed.',
    assumption: `A receiver has ${formatSeconds(WEBHOOK_TIMEOUT_MS)}. A late answer or a redirect is a failed attempt.`,
    reason: 'A receiver that answers 2xx within a few seconds works with any time limit.',
  },
  transferRedirect: {
    group: 'redirects',
    reference: 'The reference does not say when the browser returns after a bank transfer.',
    assumption: 'The browser shows a page that waits, and returns when the operator approves the transfer.',
    reason: 'An app that waits for the webhook works either way.',
  },
  redirectQuery: {
    group: 'redirects',
    reference:
      'pay_id and status are appended to the URL. The reference does not say what happens if the URL already has a pay_id or a status.',
    assumption: 'pay_id and status are appended again, before a fragment.',
    reason: 'Few callback URLs contain them.',
  },
  repeatedEntries: {
    group: 'links',
    reference:
      'The reference does not say what happens if a request names a target, a recipient or a pay_id twice, or how many are allowed.',
    assumption: `Every entry counts: a target gets two webhooks, and a recipient both shares. At most ${MAX_TARGETS} targets, ${MAX_RESENT_PAY_IDS} pay_ids and ${MAX_RECIPIENTS} recipients are accepted.`,
    reason: 'A receiver must accept repeated webhooks anyway.',
  },
  serverTime: {
    group: 'errors',
    reference: 'The reference does not name the time zone of timestamps.',
    assumption: 'Timestamps are Berlin time, and ServerTime is CET or CEST.',
    reason: 'The examples of the reference show this time zone.',
  },
} as const satisfies Record<string, FixedAssumptionRow>

export type BehaviorName = keyof typeof behaviors

export type FixedAssumptionName = keyof typeof fixedAssumptions

export type AssumptionName = BehaviorName | FixedAssumptionName

/** A behavior with the optional parts that its row may lack. */
export const behaviorRow = (name: BehaviorName): BehaviorRow => behaviors[name]

/** What the sandbox does at an open point: the meaning of every option. */
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
