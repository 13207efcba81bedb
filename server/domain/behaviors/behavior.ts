import { isRetryWaits } from './retry-waits.ts'

/**
 * A point the reference leaves open. One with several options is a switch; one with a single option is a
 * fixed assumption. This table is the only place that describes them: answers name its rows in
 * `Sandbox-Assumed`, and the README, the inspector and the control API print it.
 */
export interface OpenPoint {
  /** The first is the default. */
  readonly options: readonly [string, ...string[]]
  /** Further values: described for people, tested by a function, and typed by what that function guards. */
  readonly pattern?: {
    readonly text: string
    /** What else is to be known of it, to follow its text in a message. */
    readonly hint?: string
    readonly matches: (value: string) => boolean
  }
  /** What the reference says, or that it says nothing. */
  readonly reference: string
  /** What the sandbox does, option by option. */
  readonly assumption: string
}

interface SwitchableBehavior extends OpenPoint {
  /** How to write code that survives every option. */
  readonly advice: string
}

/** Whether a text is a number of calls in a minute. */
const isRate = (value: string): value is `${bigint}/min` => /^[1-9]\d{0,5}\/min$/.test(value)

const switches = {
  payId: {
    options: ['same', 'distinct'],
    reference: 'A payment is named by its pay_id (linktopay_id). Its relation to the link id is not stated.',
    assumption:
      'same: pay_id equals id. distinct: id counts from 1001 and pay_id from 700001, or in the block of an account pay_id is id + 5000, so code that mixes them up fails at once.',
    advice:
      'Keep the pay_id that webhook and redirect carry with your order, and send that one. Find the order by the recipient_note you gave it, which the webhook has as note (data[note]), or by an address of its own, never by the id of the link.',
  },
  cancelWebhook: {
    options: ['send', 'skip'],
    reference: 'One passage lists a webhook on cancellation, another says that none is sent.',
    assumption:
      'send: a cancelled payment sends a webhook with status cancel. skip: only the redirect tells.',
    advice: 'Let the redirect or a deadline of your own close an order that no webhook cancels.',
  },
  webhookEncoding: {
    options: ['form', 'json'],
    reference: 'The payload is shown form-encoded with bracket keys; other guidance calls the body JSON.',
    assumption: 'form: application/x-www-form-urlencoded. json: the same nested object as JSON.',
    advice:
      'Parse the body by its Content-Type: a form with bracket keys (data[pay_id]), or the same nested object as JSON.',
  },
  statusText: {
    options: ['documented', 'lowercase'],
    reference: 'Notifications carry Success or cancel. Spellings drift in practice.',
    assumption: 'documented: Success and cancel. lowercase: success and cancel.',
    advice: 'Compare the status without regard to capitals.',
  },
  errorStatus: {
    options: ['ok', 'http'],
    reference: 'HTTP status codes of error responses are not shown.',
    assumption:
      'ok: every refusal is HTTP 200, ResponseCode decides. http: 401 for authentication, 404 for unknown links and operations, 409 for states that forbid it, 422 for the rest.',
    advice: 'Read the body whatever the HTTP status is, and let ResponseCode decide.',
  },
  requestBody: {
    options: ['json', 'json-or-form'],
    reference: 'Requests take JSON with Content-Type application/json.',
    assumption:
      'json: anything else is refused. json-or-form: form-encoded bodies with bracket keys are read as well.',
    advice: 'Send JSON with Content-Type application/json.',
  },
  rateLimit: {
    options: ['none'],
    pattern: { text: '<n>/min', matches: isRate },
    reference: 'Rate limits are not shown.',
    assumption:
      'none: no limit. <n>/min: an account has n calls in any 60 seconds; beyond it a refusal with HTTP 429 and Retry-After.',
    advice: 'Where HTTP 429 comes, wait as long as Retry-After says and call again.',
  },
  indexOutOfRange: {
    options: ['refuse', 'ignore'],
    reference: 'What an index past the end of a URL list does is not shown.',
    assumption: 'refuse: the link is not created. ignore: the entry is left out.',
    advice: "Name URLs, or indexes that the account's list has.",
  },
  resendUnpaid: {
    options: ['refuse', 'send'],
    reference:
      'What sendWebhookViaPayId does with a status that is not the outcome of the link, like Success for one that was never paid, is not shown.',
    assumption:
      'The outcome of a paid link is Success, that of a cancelled one cancel; any other link has none. refuse: another status is refused, and nothing is sent for any of the ids. send: the webhook is sent with the status that was asked for.',
    advice:
      'Ask only for the status that the payment ended with, and take a webhook that tells what you know already.',
  },
  amountText: {
    options: ['shortest', 'two-decimals'],
    reference: 'The webhook amount is a number; how many decimals are written is not shown.',
    assumption: 'shortest: 100 and 10.5. two-decimals: 100.00 and 10.50.',
    advice: 'Read the amount as a decimal number and compare cents, never the text.',
  },
  numericStrings: {
    options: ['refuse', 'accept'],
    reference: 'amount, share and the like are numbers. Whether "100" is taken is not shown.',
    assumption: 'refuse: a number sent as a string is refused. accept: it is read as the number.',
    advice: 'Send numbers without quotes.',
  },
  retries: {
    options: ['none'],
    pattern: {
      text: '<waits>',
      hint: 'like 5s,30s,2m,1h: at most 20 of them, each from 1s to 30d',
      matches: isRetryWaits,
    },
    reference: 'Retry behavior on failed delivery is not shown.',
    assumption:
      'none: one attempt; sendWebhookViaPayId or a replay sends again. <waits>: where no 2xx came, the webhook is sent again after each of these waits, until one does, like 5s,30s,2m,1h. They count by the clock from the attempt before, and those in force when the webhook is queued stay with it. A replay is one attempt.',
    advice: 'Take a webhook that comes again for what it is: answer 2xx and do nothing twice.',
  },
  order: {
    options: ['together', 'webhook-first', 'redirect-first'],
    reference: 'Which of redirect and webhook arrives first is not shown.',
    assumption:
      "together: both leave at once and race. webhook-first: the redirect waits until the first attempt of every webhook of the outcome has ended, whatever came of it. redirect-first: the webhooks wait until the redirect was answered to the customer's browser, or its connection was closed. Where no browser follows, nothing waits for one.",
    advice:
      'Make the order before the customer is led to the pay link, and take webhook and redirect in either order, or one without the other.',
  },
  https: {
    options: ['optional', 'required'],
    reference: 'The service takes HTTPS only.',
    assumption:
      "optional: plain HTTP is taken, as a laptop rarely has a certificate. required: a link is not created where one of its callback URLs or webhook targets, or the account's payment endpoint in their place, is plain http. A payment endpoint on the sandbox itself, given as a path, will do. Calls of the API are taken over plain HTTP either way, as without --tls the sandbox speaks nothing else.",
    advice: 'Name addresses that begin with https. Where your laptop has none, leave it optional there.',
  },
} as const satisfies Record<string, SwitchableBehavior>

const fixedAssumptions = {
  missingToken: {
    options: ['per-endpoint'],
    reference: 'Two texts are listed for a missing token, one of them shown for createSplitLink.',
    assumption: 'createSplitLink answers "Please enter token", every other operation the common text.',
  },
  unknownToken: {
    options: ['per-endpoint'],
    reference: 'Two texts are listed for an invalid key, one of them shown for createSplitLink.',
    assumption:
      'createSplitLink answers "No user found with the provided API key.", every other operation the common text; a production key gets the common text everywhere.',
  },
  checkOrder: {
    options: ['amount-recipients-total'],
    reference: 'The order in which errors are checked is not shown.',
    assumption:
      'createSplitLink checks amount, recipients, then for each recipient token, own token and share, then the total, then the decimals of absolute shares; refundPayment goes down its error table.',
  },
  ownWording: {
    options: ['sandbox'],
    reference: 'Refusals beyond the listed ones are not shown.',
    assumption: 'Every other bad request is refused with a sentence of the sandbox.',
  },
  refundUnpaid: {
    options: ['invalid-link'],
    reference: 'Refunding a link that was never paid is not shown.',
    assumption: 'It is refused with "Invalid link ID".',
  },
  fullRefundAmount: {
    options: ['must-equal'],
    reference: 'isFullRefund with another amount is not shown.',
    assumption: 'isFullRefund true with anything but the full amount is "Invalid refund amount".',
  },
  rejectedRefund: {
    options: ['counts'],
    reference: 'One refund request per link; whether a rejected one counts is not shown.',
    assumption: 'A rejected refund still counts as the one request.',
  },
  disputeOutcome: {
    options: ['open-or-won-blocks'],
    reference:
      'An active dispute blocks a refund. What a closed one does, and what becomes of a refund that was requested before, is not shown.',
    assumption:
      'A dispute that is open, or that the customer won, blocks a refund; one the customer lost does not. A refund that was requested before the dispute stays pending: the operator can reject it at any time, and approve it only when no dispute blocks it. Closing the dispute does not decide the refund.',
  },
  shareRounding: {
    options: ['down'],
    reference: 'Rounding of percentage shares is not shown.',
    assumption: 'Each payout is rounded down to the cent, the owner keeps the rest.',
  },
  amountDecimals: {
    options: ['two'],
    reference: 'The precision and the largest value of amount are not shown, nor the precision of a share.',
    assumption:
      'Amounts and absolute shares have at most two decimals, percentages any number of them. An amount is at most 999999999.99. Numbers are read as 64-bit floats, as most JSON readers do: 10.00000000000000001 is 10, and 70.069999999999993 is 70.07.',
  },
  createLink: {
    options: ['as-split-without-recipients'],
    reference: 'Body and answer of createLink are not shown beyond amount.',
    assumption:
      'It takes what createSplitLink takes without recipients and split type, plus bank_transfer and bank_statement_description; recipients is null, is_split_link "false", transaction_type Basic.',
  },
  linkFields: {
    options: ['plain'],
    reference: 'The meaning of servicefee, bank_transfer and payment_config is not shown.',
    assumption:
      "servicefee is the account's fee in percent, bank_transfer says whether the checkout offers it, payment_config stays empty, qr_img is empty unless is_qr_link was set.",
  },
  linkId: {
    options: ['base64'],
    reference: 'The form of link_id is not shown.',
    assumption: 'The base64 of pay_id, percent-encoded in the pay link.',
  },
  storedUrls: {
    options: ['resolved-at-creation'],
    reference: 'Whether indexes are resolved when a link is created or when it is paid is not shown.',
    assumption:
      "When it is created; paymentEndpoint and callback_url show the resolved URLs. A link that names no target follows the account's payment endpoint as it is when the webhook is sent.",
  },
  resendAnswer: {
    options: ['message-only'],
    reference: 'The answer of sendWebhookViaPayId is not shown, nor how strictly it reads its fields.',
    assumption:
      'ResponseCode 1 with "Webhook has been sent successfully" and no data, once every webhook is queued. An id that is unknown refuses the whole call with "Invalid link ID". Empty entries and leading zeros in pay_ids are passed over, as in callback_url, and status may have any capitals.',
  },
  invoiceSearch: {
    options: ['substring'],
    reference: 'What search matches is not shown.',
    assumption: 'A case-insensitive substring of invoice id, service month and company.',
  },
  invoiceMonth: {
    options: ['service-month'],
    reference: 'Which month date filters by is not shown.',
    assumption: 'The month that was billed, not the month of issue. Newest first; limit has no maximum.',
  },
  invoiceFees: {
    options: ['service-fee-and-quarter'],
    reference:
      'Invoices are generated on the 1st for the month before. How fees and VAT are computed, and what refunds do to them, is not shown.',
    assumption:
      "For each account with payments in the month (Europe/Berlin): the platform fee is each link's service fee in percent of its amount, the PSP fee €0.25 a payment, VAT 19 % of both, or 0 for reverse-charge. Each sum is rounded half up to the cent. Refunds and disputes give no fees back. A month that has an invoice gets no second one.",
  },
  rejectedTransfer: {
    options: ['unused-again'],
    reference: 'What a rejected bank transfer does is not shown.',
    assumption: 'The link can be paid again, and nobody is notified.',
  },
  repeatedEntries: {
    options: ['each-counts'],
    reference: 'What a target or a pay_id that is named twice does is not shown, nor how many there may be.',
    assumption:
      'Each entry counts: named twice, told twice. At most 100 targets, 1000 pay_ids and 1000 recipients are taken.',
  },
  serverTime: {
    options: ['berlin'],
    reference: 'The time zone of the server is shown by example only.',
    assumption: 'Timestamps are Europe/Berlin, ServerTime is CET or CEST.',
  },
} as const satisfies Record<string, OpenPoint>

export type BehaviorName = keyof typeof switches

export type AssumptionName = BehaviorName | keyof typeof fixedAssumptions

/** The value in force of every switch: one of its options, or what its pattern guards. */
export type BehaviorSettings = {
  readonly [Name in BehaviorName]:
    | (typeof switches)[Name]['options'][number]
    | ((typeof switches)[Name] extends {
        readonly pattern: { readonly matches: (value: string) => value is infer Value extends string }
      }
        ? Value
        : never)
}

/** Values chosen by name, be they for an account, the sandbox or a start of it. */
export type BehaviorChoices = Partial<BehaviorSettings>

export const behaviorNames = Object.keys(switches) as readonly BehaviorName[]
export const openPoints: Readonly<Record<AssumptionName, OpenPoint>> = { ...switches, ...fixedAssumptions }

/** How to write code that survives every option of a switch. */
export const behaviorAdvice = (name: BehaviorName): string => switches[name].advice

export const isBehaviorName = (name: string): name is BehaviorName => Object.hasOwn(switches, name)

/** Whether a switch can be set to a value. */
export function isBehaviorValue(name: BehaviorName, value: string): boolean {
  const { options, pattern } = openPoints[name]
  return options.includes(value) || (pattern?.matches(value) ?? false)
}

/** The values a switch takes, for a menu. */
export function listOptions(name: BehaviorName): string[] {
  const { options, pattern } = openPoints[name]
  return pattern ? [...options, pattern.text] : [...options]
}

/** The same in words: `none or <n>/min`. */
export function describeOptions(name: BehaviorName): string {
  const hint = openPoints[name].pattern?.hint
  return listOptions(name).join(' or ') + (hint === undefined ? '' : `, ${hint}`)
}

/** The value of every switch: what was chosen, else the default. Later choices win over earlier ones. */
export function resolveBehaviors(...choices: readonly BehaviorChoices[]): BehaviorSettings {
  const defaults = Object.fromEntries(behaviorNames.map((name) => [name, switches[name].options[0]]))
  return Object.assign(defaults, ...choices) as BehaviorSettings
}

/** The behaviors in force for one account. Whoever consults one relies on it, and that is remembered. */
export class ActiveBehaviors {
  readonly #settings: BehaviorSettings
  readonly #used = new Set<AssumptionName>()

  constructor(settings: BehaviorSettings) {
    this.#settings = settings
  }

  use<Name extends BehaviorName>(name: Name): BehaviorSettings[Name] {
    this.#used.add(name)
    return this.#settings[name]
  }

  /** Looks at a value without resting an answer on it. */
  peek<Name extends BehaviorName>(name: Name): BehaviorSettings[Name] {
    return this.#settings[name]
  }

  markAssumptions(...names: readonly (keyof typeof fixedAssumptions)[]): void {
    for (const name of names) this.#used.add(name)
  }

  /** What has been relied on so far, in the order of the first use. */
  get used(): AssumptionName[] {
    return [...this.#used]
  }
}
