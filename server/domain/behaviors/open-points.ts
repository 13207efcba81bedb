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
  /** What each option means. The first option is the default. */
  readonly options: Readonly<Record<string, string>>
  /** Which other values the behavior accepts. */
  readonly pattern?: {
    /** The notation of the values, in words for people: `<n>/min`. */
    readonly text: string
    /** Follows `text` in an error message. */
    readonly hint?: string
    readonly meaning: string
    /** The value that `exec --matrix` tries. */
    readonly example: string
    /** True if `exec --matrix` tries the example only when the user names the behavior. */
    readonly isTriedOnlyIfNamed?: true
    /** A type guard, because the type of the setting is derived from it. */
    readonly matches: (value: string) => boolean
  }
  /** What the API reference says about the point, and the question that it leaves open. */
  readonly reference: string
  /** What applies to all options. */
  readonly note?: string
  /** How to write code that works with every option. */
  readonly advice: string
  /**
   * True if `exec --matrix` varies the behavior only when the user names it, because the behavior breaks most suites on purpose.
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
 * `ActiveBehaviors`. README, help, inspector, matrix and OpenAPI documents are generated from these rows.
 */
export const behaviors = {
  payId: {
    group: 'links',
    options: {
      same: 'pay_id equals id.',
      distinct:
        'pay_id and id differ: id counts from 1001, and pay_id from 700001. In an account that you create, pay_id is id + 5000.',
    },
    reference: 'A payment has a pay_id (linktopay_id). Does it equal the id of the link?',
    advice:
      'Store the pay_id of the webhook or the redirect with your order, and send this pay_id. To find the order of a webhook, use its note (data[note]), which is your recipient_note, or give each order its own webhook or callback URL. Never use the id of the link.',
  },
  cancelWebhook: {
    group: 'webhooks',
    options: {
      send: 'A cancelled payment sends a webhook with status cancel.',
      'own-endpoint': "The webhook goes only to the link's own payment_endpoint, not to the account's.",
      skip: 'A cancelled payment sends no webhook.',
    },
    reference:
      'In one place, a cancelled payment sends a webhook if the link has a paymentEndpoint. In another, it sends none.',
    note: 'sendWebhookViaPayId always sends this webhook, with the amount of the link.',
    advice:
      'Do not wait for the webhook of a cancellation: close the order on the redirect, or after a deadline of your own.',
  },
  webhookEncoding: {
    group: 'webhooks',
    options: {
      form: 'The body is application/x-www-form-urlencoded.',
      json: 'The body is JSON with the same fields.',
    },
    reference: 'In one place, the body is a form with bracket keys. In another, it is JSON.',
    advice:
      'Parse the body by its Content-Type: a form with bracket keys (data[pay_id]), or JSON with the same fields.',
  },
  formEncoding: {
    group: 'webhooks',
    options: {
      encoded: 'Brackets are %5B and %5D, and a space is +.',
      literal: 'Brackets stay as they are, and a space is %20.',
    },
    reference: 'The keys of a form have brackets. Which characters are percent-encoded?',
    note: 'Without a note, data[note] is empty.',
    advice: 'Decode keys and values with the form parser of your framework, and do not search the raw text.',
  },
  statusText: {
    group: 'webhooks',
    options: {
      documented: 'The status is Success or cancel.',
      lowercase: 'The status is success or cancel.',
    },
    reference: 'Notifications have the status Success or cancel. Can upper and lower case vary?',
    advice: 'Ignore case when you compare the status.',
  },
  errorStatus: {
    group: 'errors',
    options: {
      ok: 'Every error has HTTP 200. Only ResponseCode shows the error.',
      http: 'An error has HTTP 401 for a wrong token, 404 for an unknown link or operation, 409 if the state of the link forbids the operation, and otherwise 422.',
    },
    reference: 'Which HTTP status does an error response have?',
    advice: 'Read the body whatever the HTTP status is. Only ResponseCode 1 is success.',
  },
  requestBody: {
    group: 'errors',
    options: {
      json: 'Any body other than JSON is refused.',
      'json-or-form':
        'A form is also read, with keys like recipients[0][token], as in PHP. Its indexes count from 0 without gaps.',
      'json-or-any-form':
        'A form may also repeat recipients[][token] and recipients[][share], as in Rails, or have recipients as JSON text. JSON with the Content-Type of a form is read as JSON.',
    },
    reference:
      'Requests have a JSON body and Content-Type application/json. How are other requests answered?',
    advice: 'Send JSON with Content-Type application/json.',
  },
  rateLimit: {
    group: 'errors',
    options: { none: 'There is no limit.' },
    pattern: {
      text: '<n>/min',
      meaning: 'An account has n calls in any 60 seconds. Further calls get HTTP 429 with Retry-After.',
      example: '60/min',
      matches: isRate,
    },
    reference: 'Are calls limited?',
    advice: 'On HTTP 429, wait as long as Retry-After says and call again.',
    isVariedOnlyIfNamed: true,
  },
  indexOutOfRange: {
    group: 'links',
    options: {
      refuse: 'The link is refused, even if the index is not used, like the 9 in callback_url "0,9".',
      'refuse-used':
        'The link is refused if the index is used: any entry of payment_endpoint, but only the first entry of callback_url.',
      ignore: 'The index is ignored: callback_url "9,0" is index 0.',
      'ignore-field':
        "The whole field is ignored: the browser returns to the default page, and webhooks go to the account's payment endpoint.",
    },
    reference:
      'A URL can be an index into a list of the account. What happens if the list has no such index?',
    advice: "Send URLs, or indexes that the account's list has.",
  },
  resendUnpaid: {
    group: 'webhooks',
    options: {
      refuse: 'The call is refused, and no webhook is sent for any of its ids.',
      send: 'The webhook is sent with the requested status.',
    },
    reference:
      'What if sendWebhookViaPayId gets a status that does not match the link, like Success for an unpaid link?',
    note: 'Success matches a paid link, and cancel a cancelled link.',
    advice:
      'Request only the status that the payment ended with, and accept a webhook that repeats what you already know.',
  },
  amountText: {
    group: 'webhooks',
    options: {
      shortest: 'Amounts look like 100 and 10.5.',
      'two-decimals': 'Amounts look like 100.00 and 10.50.',
    },
    reference: 'The amount in a webhook is a number. How many decimals does it have?',
    advice: 'Read the amount as a decimal number and compare cents, never the text.',
  },
  numericStrings: {
    group: 'errors',
    options: {
      refuse: 'A number sent as a string is refused.',
      accept: 'A string is read as a number if its content is a JSON number, like "100", "0.5" or "-7".',
      'any-spelling': 'Other spellings are also read, like " +0100.50 ", ".5" or "1e2".',
    },
    reference: 'amount, share and similar fields are numbers. Is a string like "100" accepted?',
    note: 'In forms, accept always applies, because all their values are strings.',
    advice: 'Send numbers without quotes.',
  },
  retries: {
    group: 'webhooks',
    options: { none: 'The webhook is sent once.' },
    pattern: {
      text: '<waits>',
      hint: `like 5s,30s,2m,1h: at most ${MAX_WAITS} of them, each from 1s to ${MAX_WAIT_DAYS}d`,
      meaning:
        'The sandbox sends a failed webhook again after each of these waits, like 5s,30s,2m,1h. A change applies to later webhooks.',
      example: '1s,5s',
      matches: isRetryWaits,
    },
    reference: 'Is a failed webhook sent again?',
    advice: 'Answer a repeated webhook with 2xx, and do nothing twice.',
  },
  order: {
    group: 'redirects',
    options: {
      together: 'Both are sent at once, and either can arrive first.',
      'webhook-first': 'The redirect waits for the first attempt of every webhook of the payment.',
      'redirect-first':
        "The webhooks wait until the customer's browser has received the redirect, or has disconnected.",
    },
    pattern: {
      text: '<events>',
      hint: 'like redirect,success,cancel',
      meaning:
        "The listed notifications are sent one after another. The sandbox itself opens the page of each redirect, and the customer's browser returns at the end. After a cancel, both are sent at once.",
      example: 'redirect,success,success',
      isTriedOnlyIfNamed: true,
      matches: isEventOrderText,
    },
    reference: 'Does the redirect or the webhook arrive first, and can a webhook arrive twice?',
    note: 'Without a browser, nothing waits for a redirect.',
    advice:
      'Create the order before the customer opens the pay link. Accept the webhook and the redirect, whichever comes first, and one without the other. Answer a repeated webhook with 2xx, and do nothing twice.',
  },
  https: {
    group: 'links',
    options: {
      optional: 'Redirects and webhooks may go to http URLs.',
      required:
        'A link is refused if its redirect or a webhook would go to an http URL. Paths on the sandbox are accepted.',
    },
    reference: 'Calls to the service must use HTTPS. Must redirects and webhooks?',
    note: 'Your app may always call the sandbox over http.',
    advice: 'Use https URLs in production. On a laptop without a certificate, keep the option optional.',
    isVariedOnlyIfNamed: true,
  },
  amountDecimals: {
    group: 'amounts',
    options: {
      refuse: 'An amount with more than two decimals is refused.',
      round: 'An amount is rounded to the cent, half a cent up, before it is checked.',
    },
    reference: 'How many decimals can amounts and shares have?',
    note: 'The same applies to absolute shares. A percentage may have any number of decimals. Numbers are read as 64-bit floats.',
    advice: 'Calculate in cents, and send euros with at most two decimals.',
  },
  booleanAsText: {
    group: 'errors',
    options: {
      refuse: 'A boolean sent as a string or as a number is refused.',
      accept: '"true", "1" and 1 are read as true, "false", "0" and 0 as false.',
    },
    reference: 'cancellable, is_qr_link and isFullRefund are booleans. Is a string like "false" accepted?',
    note: 'In forms, accept always applies.',
    advice: 'Send true or false without quotes.',
  },
  textAsNumber: {
    group: 'errors',
    options: {
      refuse: 'A string sent as a number is refused.',
      accept: 'A number is read as a string, so the callback_url 0 is the first URL.',
    },
    reference: 'URLs, indexes, pay_ids, notes and tokens are strings. Is a number like the index 0 accepted?',
    advice: 'Send indexes, lists of pay_ids, notes and tokens in quotes.',
  },
  missingToken: {
    group: 'errors',
    options: {
      special:
        'createSplitLink answers "Please enter token", and other operations "Incorrect token or missing token".',
      common: 'Every operation answers "Incorrect token or missing token".',
    },
    reference: 'There are two messages for a missing token. One appears only with createSplitLink.',
    advice: 'Treat both messages as the same error.',
  },
  unknownToken: {
    group: 'errors',
    options: {
      special:
        'createSplitLink answers "No user found with the provided API key.", and other operations "Incorrect token or missing token".',
      common: 'Every operation answers "Incorrect token or missing token".',
    },
    reference: 'There are two messages for an invalid key. One appears only with createSplitLink.',
    note: 'A production key always gets "Incorrect token or missing token".',
    advice: 'Treat both messages as the same error.',
  },
  invoiceMonth: {
    group: 'invoices',
    options: {
      billed: 'date is the month of the payments: 2026-06 finds the invoice of 1 July.',
      issued: 'date is the month of the invoice: 2026-07 finds the invoice of 1 July.',
    },
    reference: 'Is date in getTaxInvoiceList the month of the payments or of the invoice?',
    advice: 'List the invoices without date, and filter them by service_month or invoice_date yourself.',
  },
  wonDispute: {
    group: 'refunds',
    options: {
      blocks: 'A dispute that the customer has won blocks a refund.',
      allows: 'Only an open dispute blocks a refund.',
    },
    reference: 'An active dispute blocks a refund. Does a dispute that the customer has won still block it?',
    advice: 'If a dispute has returned the money, do not request a refund.',
  },
  resendStatus: {
    group: 'webhooks',
    options: {
      'any-case': 'SUCCESS is read as Success, and Cancel as cancel. Any other status is refused.',
      refuse: 'The call is refused.',
      'as-given': 'The webhook has the requested status.',
    },
    reference: 'What does sendWebhookViaPayId do with a status other than Success and cancel?',
    advice: 'Request Success or cancel. In your receiver, ignore a webhook with an unknown status.',
  },
} as const satisfies Record<string, BehaviorRow>

/** The points that the reference leaves open and that users cannot switch. */
export const fixedAssumptions = {
  checkOrder: {
    group: 'errors',
    reference: 'Which error is checked first?',
    assumption:
      'The rate limit is checked first, then the operation, the method, the token, the body, and the fields as the reference lists them. After that, createSplitLink checks the recipients, the total and the URLs, and refundPayment follows its error table.',
    reason: 'A correct request passes every check, whichever comes first.',
  },
  ownWording: {
    group: 'errors',
    reference: 'Which other errors exist?',
    assumption:
      'For other mistakes, the sandbox has its own messages. A recipient without a token gets the error of an unknown token.',
    reason: 'You notice the mistake while you develop, and the message names it.',
  },
  requestEncoding: {
    group: 'errors',
    reference: 'May a request body be compressed?',
    assumption:
      'Bodies are not decompressed. If a body can be read as it is, its Content-Encoding is ignored.',
    reason: 'An app that sends plain bodies works either way.',
  },
  bodyLimits: {
    group: 'errors',
    reference: 'How large can a request body be?',
    assumption: `A body has at most ${formatMebibytes(MAX_BODY_BYTES)}, and its lists and objects are nested at most ${MAX_JSON_DEPTH} deep.`,
    reason: 'Real requests are far smaller.',
  },
  emptyBody: {
    group: 'errors',
    reference: 'Requests have a JSON body. Does an operation without required fields need one?',
    assumption: 'getTaxInvoiceList accepts an empty body. Other operations refuse it.',
    reason: 'getTaxInvoiceList has no required field.',
  },
  optionalFields: {
    group: 'errors',
    reference: 'What do null and empty strings mean? What are the defaults of is_qr_link and isFullRefund?',
    assumption: 'A field with null or an empty string counts as missing. Both defaults are false.',
    reason: 'Many programs send null for a missing value, and forms send an empty string.',
  },
  unknownFields: {
    group: 'errors',
    reference: 'What happens to an unknown field?',
    assumption: 'The field is ignored, even in a recipient.',
    reason: 'A finding names the field, so you notice a misspelled name.',
  },
  refundUnpaid: {
    group: 'refunds',
    reference: 'Which error does a refund get if the link was never paid?',
    assumption: 'The request is refused with "Invalid link ID".',
    reason: 'The reference lists this message for refunds.',
  },
  fullRefundAmount: {
    group: 'refunds',
    reference: 'What happens if isFullRefund is true, and refund_amount is not the whole amount?',
    assumption: 'The request is refused with "Invalid refund amount".',
    reason: 'If the service guessed, it could return the wrong sum.',
  },
  rejectedRefund: {
    group: 'refunds',
    reference: 'A link can have only one refund request. Can you request a second one after a rejection?',
    assumption: 'After a rejection, further requests are refused.',
    reason: 'An app that handles this refusal works either way.',
  },
  disputeOutcome: {
    group: 'refunds',
    reference:
      'Does a dispute that the customer has lost still block a refund? What happens to an earlier refund request?',
    assumption:
      'A dispute that the customer has lost blocks nothing. An earlier refund request stays pending, and cannot be approved while a dispute blocks it.',
    reason: 'No money is returned twice.',
  },
  shareRounding: {
    group: 'amounts',
    reference: 'How are percentage shares rounded, and how exactly must they add up to 100?',
    assumption:
      'Each payout is rounded down to the cent, and the owner keeps the rest. The sum of the shares is rounded to 15 digits.',
    reason: 'No cent is created or lost.',
  },
  payoutFees: {
    group: 'amounts',
    reference: 'Do fees reduce the payouts?',
    assumption: 'The whole amount is paid out, and fees are only on the invoice.',
    reason: 'No answer and no webhook shows payouts, so no app depends on them.',
  },
  amountLimit: {
    group: 'amounts',
    reference: 'How large can an amount be?',
    assumption: `An amount is at most ${toEuros(MAX_AMOUNT)}.`,
    reason: 'The sandbox calculates exactly up to this amount.',
  },
  createLink: {
    group: 'links',
    reference: 'Which fields does createLink have in addition to amount, and what does it answer?',
    assumption:
      'createLink has the fields of createSplitLink except recipients and split_type, and also bank_transfer (a boolean, or "true" or "false") and bank_statement_description. In its answer, recipients is null, is_split_link is "false" and transaction_type is Basic.',
    reason: 'The reference documents these fields for createSplitLink.',
  },
  linkFields: {
    group: 'links',
    reference: 'What do servicefee, bank_transfer, payment_config and bank_statement_description mean?',
    assumption:
      "servicefee is the account's fee in percent. bank_transfer says whether the checkout offers bank transfer. payment_config is always empty. qr_img is empty unless is_qr_link was set.",
    reason: 'No payment depends on these fields.',
  },
  linkId: {
    group: 'links',
    reference: 'What does a link_id look like?',
    assumption: 'link_id is the base64 of pay_id, percent-encoded in the pay link.',
    reason: 'Your app needs only the whole pay link.',
  },
  storedUrls: {
    group: 'links',
    reference: 'What happens to open links if the URLs of the account change?',
    assumption:
      "An index means the URL that the account had when the link was created. A link without a payment_endpoint uses the account's payment endpoint at the time of sending.",
    reason: 'Customers with an open link return to the page that your app meant.',
  },
  addresses: {
    group: 'links',
    reference: 'Which URLs are valid, and how do answers spell them?',
    assumption:
      'URLs begin with http:// or https://. A comma separates two URLs, so write %2C for a comma in a URL. Empty entries, spaces around an entry and leading zeros of indexes are ignored. Answers repeat a URL as your app sent it.',
    reason: 'An unusual URL fails while you develop, not when a customer pays.',
  },
  linkStates: {
    group: 'links',
    reference: 'A new link is Unused. Which other statuses are there, and when do they change?',
    assumption:
      'A link is paid or cancelled once, and never expires. A declined card or a rejected transfer sends no notification, and the customer can try again. While a link waits for a bank transfer, it can be neither paid nor cancelled.',
    reason: 'No link is paid twice, and no link is cancelled while a transfer is underway.',
  },
  resendAnswer: {
    group: 'webhooks',
    reference: 'What does sendWebhookViaPayId answer, and how strictly does it read pay_ids?',
    assumption:
      'It queues all webhooks, and answers ResponseCode 1 with "Webhook has been sent successfully" and no data. If an id is unknown, it sends nothing and answers "Invalid link ID". Empty entries and leading zeros in pay_ids are ignored.',
    reason: 'You can repeat the call after an error.',
  },
  invoiceSearch: {
    group: 'invoices',
    reference: 'In which fields does search look?',
    assumption: 'search looks in the invoice id, the service month and the company, and ignores case.',
    reason: 'Too many invoices are better than too few.',
  },
  invoiceOrder: {
    group: 'invoices',
    reference:
      'How are invoices sorted, how large can limit be, and what does a page after the last one contain?',
    assumption:
      'The newest invoice comes first, limit has no maximum, and a page after the last one is empty.',
    reason: 'An app usually needs the newest invoice.',
  },
  invoiceFees: {
    group: 'invoices',
    reference:
      'Invoices for a month are generated on the 1st of the next. How are fees and VAT computed, and does a refund return fees?',
    assumption: `An account with payments gets one invoice, on the 1st at 00:00 in Berlin. The platform fee is the link's service fee in percent of the amount, the provider fee is €${toEuros(PSP_FEE)} per payment, and VAT is ${VAT_PERCENT} % of both, or 0 for reverse-charge. Each sum is rounded half up to the cent. Refunds and disputes do not return fees.`,
    reason: 'No payment is billed twice.',
  },
  invoiceNumbers: {
    group: 'invoices',
    reference:
      'invoice_id begins with YYYYMM, and ten characters follow. Which month is this, and which characters can follow?',
    assumption: 'YYYYMM is the month of issue. Digits and the letters A to F follow.',
    reason: 'An app that treats invoice_id as text works either way.',
  },
  webhookSignature: {
    group: 'webhooks',
    reference: 'The reference shows no signature or authentication of webhooks.',
    assumption: 'Webhooks are not signed.',
    reason: 'An app that requires a signature fails here, and you notice it early.',
  },
  webhookAnswer: {
    group: 'webhooks',
    reference: 'A receiver answers with any 2xx status. How long may it take, and are redirects followed?',
    assumption: `A receiver has ${formatSeconds(WEBHOOK_TIMEOUT_MS)}. A late answer or a redirect is a failed attempt.`,
    reason: 'A receiver that answers 2xx within a few seconds works with any time limit.',
  },
  transferRedirect: {
    group: 'redirects',
    reference: 'When does the browser return after a bank transfer?',
    assumption:
      'The browser shows a waiting page, and returns to the shop when the operator approves the transfer.',
    reason: 'An app that waits for the webhook works either way.',
  },
  redirectQuery: {
    group: 'redirects',
    reference:
      'pay_id and status are appended to the URL. What happens if the URL already has a pay_id or a status?',
    assumption: 'pay_id and status are appended again, before a fragment.',
    reason: 'Few callback URLs contain them.',
  },
  repeatedEntries: {
    group: 'links',
    reference:
      'What happens if a request names a target, a recipient or a pay_id twice, and how many are allowed?',
    assumption: `Every entry counts: a target gets two webhooks, and a recipient both shares. At most ${MAX_TARGETS} targets, ${MAX_RESENT_PAY_IDS} pay_ids and ${MAX_RECIPIENTS} recipients are accepted.`,
    reason: 'A receiver must accept repeated webhooks anyway.',
  },
  serverTime: {
    group: 'errors',
    reference: 'Which time zone do timestamps have?',
    assumption: 'Timestamps are Berlin time, and ServerTime is CET or CEST.',
    reason: 'The examples of the reference show this time zone.',
  },
} as const satisfies Record<string, FixedAssumptionRow>

export type BehaviorName = keyof typeof behaviors

export type FixedAssumptionName = keyof typeof fixedAssumptions

export type AssumptionName = BehaviorName | FixedAssumptionName

/** The row of a behavior. Its type has the optional parts even if the row does not. */
export const behaviorRow = (name: BehaviorName): BehaviorRow => behaviors[name]

/** What the sandbox does at an open point: the meaning of every option. `format` marks the names of the options. */
export function describeAssumption(
  { options, pattern, note }: BehaviorRow,
  format = (option: string): string => option,
): string {
  const meanings = Object.entries(options).map(([option, meaning]) => `${format(option)}: ${meaning}`)
  return [
    ...meanings,
    ...(pattern ? [`${format(pattern.text)}: ${pattern.meaning}`] : []),
    ...(note ? [note] : []),
  ].join(' ')
}

export interface OpenPoint {
  readonly group: OpenPointGroup
  /** What the API reference says about the point, and the question that it leaves open. */
  readonly reference: string
  readonly assumption: string
  /** Why the assumption is safe. Only a point without options has a reason. */
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
