import type { AssumptionName, BehaviorName, FixedAssumptionName } from '../../domain/behaviors/open-points.ts'
import { operations } from '../../domain/api/operations.ts'
import { isRecord } from '../../domain/text/is-object.ts'
import type { Answer } from '../../domain/api/describe-answer.ts'
import type { NotificationKind } from './describe-notification.ts'
import { payIdIn, readData, readEnvelope } from '../../domain/api/read-answer.ts'

/** Values for the bodies of requests. */
interface ProbeContext {
  /** The recipient token of a different account. Without it, no split link can be created. */
  readonly recipient: string | undefined
  /** The responses to earlier requests of the probe, by name. */
  readonly answers: ReadonlyMap<string, Answer>
  /** Where the redirect and the webhooks of a link go, for probes with a payment. */
  readonly targets?: PaymentTargets | undefined
}

export interface PaymentTargets {
  readonly callback: string
  /** `undefined` if nothing can receive webhooks. */
  readonly webhook: string | undefined
}

export interface ProbeRequest {
  /** Unique within the probe. */
  readonly name: string
  readonly title: string
  readonly operation: string
  readonly method?: 'GET'
  /** The key to send. Default: the real one. */
  readonly token?: 'none' | 'unknown'
  /** Default: `application/json`. */
  readonly contentType?: string
  /**
   * An object is sent as JSON. If `undefined`, an earlier response lacks a value that the request needs, so the request is not
   * sent.
   */
  readonly body: unknown
  /** `possible-link` if the request creates a link only if the service accepts it. */
  readonly creates?: 'link' | 'possible-link'
  /**
   * If set, no request is sent. Instead, a person pays or cancels the link of the request `create`, and the service sends a
   * redirect and a webhook, for which the probe waits. `body` is ignored.
   */
  readonly awaits?: NotificationKind
  /** How the payment ends. */
  readonly outcome?: 'pay' | 'cancel'
}

/** A place in the response to one request, or to every request of the probe. */
export interface ShownPlace {
  readonly request: string | undefined
  readonly place: string
}

const inRequest = (request: string, ...places: readonly string[]): readonly ShownPlace[] =>
  places.map((place) => ({ request, place }))

const inAny = (...places: readonly string[]): readonly ShownPlace[] =>
  places.map((place) => ({ request: undefined, place }))

/** Requests to the service, and what their responses decide. */
export interface CalibrationProbe {
  readonly name: string
  readonly title: string
  /**
   * The behaviors that the probe decides. The same requests are also sent to a sandbox, once for each combination of their
   * options.
   */
  readonly behaviors?: readonly BehaviorName[]
  /** The fixed assumptions that the probe tests, each with the places that prove it. */
  readonly assumptions?: { readonly [Name in FixedAssumptionName]?: readonly ShownPlace[] }
  /** Pairs of requests. A behavior decides whether both get the same message, whatever its wording. */
  readonly pairs?: readonly (readonly [string, string])[]
  /** `recipient` if the probe needs a recipient token, `payment` if it needs someone to pay links. */
  readonly needs?: 'recipient' | 'payment'
  /** The behaviors that can be told from when the redirect and the webhooks arrive. */
  readonly timing?: readonly ('order' | 'retries')[]
  readonly requests: (context: ProbeContext) => readonly ProbeRequest[]
}

/** The amount to pay, for links that are paid. €0.10 shows how decimals are written. */
const PAID_AMOUNT = 0.1

/** The host does not exist, so no webhook arrives anywhere. */
const TARGET = 'https://calibrate.invalid/webhooks'
const CALLBACK = 'https://calibrate.invalid/done'
const AMOUNT = 0.01
/** An index beyond the end of any list. */
const NO_INDEX = '99999'
/** No link has this `pay_id`. */
const UNKNOWN_PAY_ID = 2_000_000_000
const UNKNOWN_RECIPIENT = 'paylinkCalibrateNoRecipient0'
export const UNKNOWN_KEY = 'paylinkCalibrateUnknownKey000'

/** Values that look like secrets but are not. */
export const INVENTED_SECRETS: ReadonlySet<string> = new Set([UNKNOWN_KEY, UNKNOWN_RECIPIENT])

export const NOTE = 'paylink-sandbox calibrate'

const link = { amount: AMOUNT, recipient_note: NOTE, payment_endpoint: TARGET }
const unknownShare = (share: number) => ({ token: UNKNOWN_RECIPIENT, share })

/** A request that an operation accepts if the key is right. */
export const SMALLEST_BODIES = {
  createSplitLink: { ...link, recipients: [unknownShare(30)] },
  createLink: link,
  refundPayment: { pay_id: UNKNOWN_PAY_ID, refund_amount: AMOUNT },
  getTaxInvoiceList: {},
  sendWebhookViaPayId: { pay_ids: String(UNKNOWN_PAY_ID), status: 'Success' },
} as const satisfies Record<(typeof operations)[number], object>

const withToken = (token: 'none' | 'unknown', title: string): readonly ProbeRequest[] =>
  operations.map((operation) => ({
    name: operation,
    title: `${operation} ${title}`,
    operation,
    token,
    body: SMALLEST_BODIES[operation],
  }))

/** A link whose redirect and webhooks go to `calibrate`. */
const linkToPay = ({ targets }: ProbeContext): ProbeRequest => ({
  name: 'create',
  title: `createLink of €${PAID_AMOUNT.toFixed(2)}`,
  operation: 'createLink',
  body: {
    ...link,
    amount: PAID_AMOUNT,
    payment_endpoint: targets?.webhook ?? TARGET,
    callback_url: targets?.callback,
  },
  creates: 'link',
})

const notification = (awaits: NotificationKind, outcome: 'pay' | 'cancel', title: string): ProbeRequest => ({
  name: awaits,
  title,
  operation: awaits,
  body: undefined,
  awaits,
  outcome,
})

/** The `pay_id` in the description of a redirect. */
function redirectedPayId({ answers }: ProbeContext): number | undefined {
  const { redirect } = readEnvelope(answers.get('redirect')) ?? {}
  const payId = isRecord(redirect) ? Number(redirect.pay_id) : NaN
  return Number.isSafeInteger(payId) ? payId : undefined
}

/** `payIds` is `undefined` if the link could not be created. */
const resend = (
  name: string,
  title: string,
  payIds: string | undefined,
  status = 'Success',
): ProbeRequest => ({
  name,
  title: `sendWebhookViaPayId with ${title}`,
  operation: 'sendWebhookViaPayId',
  body: payIds === undefined ? undefined : { pay_ids: payIds, status },
})

/**
 * A plain link, which the service must accept. It is created before the first probe and after each probe. Only if both of these
 * control calls succeed does a refusal in between say something about the refused request.
 */
export const CONTROL: CalibrationProbe = {
  name: 'control',
  title: 'control call',
  requests: () => [
    {
      name: 'control',
      title: 'createLink as a control call',
      operation: 'createLink',
      body: link,
      creates: 'link',
    },
  ],
}

/**
 * All probes, in sequence. Probes that decide behaviors come early, because the responses that are expected to later probes
 * depend on these behaviors.
 */
export const probes: readonly CalibrationProbe[] = [
  {
    name: 'basic-link',
    title: 'the answer of createLink',
    assumptions: {
      createLink: inAny(
        'ResponseCode',
        'ResponseMsg',
        'data',
        'data.recipients',
        'data.is_split_link',
        'data.split_type',
        'data.transaction_type',
        'data.bank_statement_description',
      ),
      linkFields: inAny('data.servicefee', 'data.bank_transfer', 'data.payment_config', 'data.qr_img'),
      linkId: inAny('data.pay_link'),
      storedUrls: inAny('data.paymentEndpoint', 'data.callback_url'),
      repeatedEntries: inRequest('repeated', 'ResponseCode', 'data.paymentEndpoint'),
      serverTime: inAny('ServerTime', 'data.created_at'),
    },
    requests: () => [
      { name: 'plain', title: 'createLink', operation: 'createLink', body: link, creates: 'link' },
      {
        name: 'full',
        title: 'createLink with all fields',
        operation: 'createLink',
        body: {
          ...link,
          callback_url: CALLBACK,
          cancellable: false,
          is_qr_link: true,
          bank_transfer: true,
          bank_statement_description: 'CALIBRATE',
        },
        creates: 'link',
      },
      {
        name: 'repeated',
        title: 'createLink with one webhook target twice',
        operation: 'createLink',
        body: { ...link, payment_endpoint: `${TARGET},${TARGET}` },
        creates: 'link',
      },
    ],
  },
  {
    name: 'error-status',
    title: 'the HTTP status of errors',
    behaviors: ['errorStatus'],
    requests: () => [
      {
        name: 'unknown-key',
        title: 'createLink with an unknown key',
        operation: 'createLink',
        token: 'unknown',
        body: link,
      },
      { name: 'no-amount', title: 'createLink without an amount', operation: 'createLink', body: {} },
      {
        name: 'unknown-payment',
        title: 'refundPayment of an unknown payment',
        operation: 'refundPayment',
        body: SMALLEST_BODIES.refundPayment,
      },
    ],
  },
  {
    name: 'numeric-strings',
    title: 'numbers sent as text',
    behaviors: ['numericStrings'],
    requests: () => [
      {
        name: 'amount',
        title: 'createLink with the amount as text',
        operation: 'createLink',
        body: { ...link, amount: String(AMOUNT) },
        creates: 'possible-link',
      },
      {
        name: 'spelling',
        title: 'createLink with the amount as text, with spaces and a plus sign',
        operation: 'createLink',
        body: { ...link, amount: ` +${AMOUNT} ` },
        creates: 'possible-link',
      },
    ],
  },
  {
    name: 'boolean-as-text',
    title: 'a boolean sent as text',
    behaviors: ['booleanAsText'],
    requests: () => [
      {
        name: 'is-qr-link',
        title: 'createLink with is_qr_link as text',
        operation: 'createLink',
        body: { ...link, is_qr_link: 'true' },
        creates: 'possible-link',
      },
    ],
  },
  {
    name: 'text-as-number',
    title: 'text sent as a number',
    behaviors: ['textAsNumber'],
    requests: () => [
      {
        name: 'search',
        title: 'getTaxInvoiceList with a number to search for',
        operation: 'getTaxInvoiceList',
        body: { search: 2026 },
      },
    ],
  },
  {
    name: 'form-body',
    title: 'a form-encoded body',
    behaviors: ['requestBody'],
    requests: () => [
      {
        name: 'form',
        title: 'createLink with a form-encoded body',
        operation: 'createLink',
        contentType: 'application/x-www-form-urlencoded',
        body: new URLSearchParams({ ...link, amount: String(AMOUNT) }).toString(),
        creates: 'possible-link',
      },
      {
        name: 'json',
        title: 'createLink with JSON that is sent as a form',
        operation: 'createLink',
        contentType: 'application/x-www-form-urlencoded',
        body: JSON.stringify(link),
        creates: 'possible-link',
      },
      {
        name: 'list',
        title: 'createSplitLink with a form that lists an unknown recipient by recipients[][token]',
        operation: 'createSplitLink',
        contentType: 'application/x-www-form-urlencoded',
        body: new URLSearchParams({
          ...link,
          amount: String(AMOUNT),
          'recipients[][token]': UNKNOWN_RECIPIENT,
          'recipients[][share]': '30',
        }).toString(),
      },
    ],
  },
  {
    name: 'index',
    title: 'an index past the end of a URL list',
    behaviors: ['indexOutOfRange'],
    requests: () => [
      {
        name: 'payment-endpoint',
        title: `createLink with index ${NO_INDEX} in payment_endpoint`,
        operation: 'createLink',
        body: { ...link, payment_endpoint: `${TARGET},${NO_INDEX}` },
        creates: 'possible-link',
      },
      {
        name: 'callback-url',
        title: `createLink with index ${NO_INDEX} in callback_url`,
        operation: 'createLink',
        body: { ...link, callback_url: NO_INDEX },
        creates: 'possible-link',
      },
      {
        name: 'unused-entry',
        title: `createLink with index ${NO_INDEX} in callback_url, after a URL`,
        operation: 'createLink',
        body: { ...link, callback_url: `${CALLBACK},${NO_INDEX}` },
        creates: 'possible-link',
      },
      {
        name: 'first-entry',
        title: `createLink with index ${NO_INDEX} in callback_url, before a URL`,
        operation: 'createLink',
        body: { ...link, callback_url: `${NO_INDEX},${CALLBACK}` },
        creates: 'possible-link',
      },
    ],
  },
  {
    name: 'plain-http',
    title: 'an address that begins with http',
    behaviors: ['https'],
    requests: () => [
      {
        name: 'payment-endpoint',
        title: 'createLink with a webhook target over plain http',
        operation: 'createLink',
        body: { ...link, payment_endpoint: TARGET.replace('https:', 'http:') },
        creates: 'possible-link',
      },
    ],
  },
  {
    name: 'unpaid-link',
    title: 'a link that nobody paid',
    behaviors: ['payId', 'resendUnpaid'],
    assumptions: {
      refundUnpaid: inRequest('refund', 'ResponseCode', 'ResponseMsg'),
      resendAnswer: [
        ...inRequest('resend-unknown', 'ResponseCode', 'ResponseMsg', 'data'),
        ...inRequest('resend-mixed', 'ResponseCode', 'ResponseMsg'),
      ],
    },
    pairs: [['resend-id', 'resend-unknown']],
    requests({ answers }) {
      const created = answers.get('create')
      const id = readData(created)?.id
      const payId = payIdIn(created)
      return [
        { name: 'create', title: 'createLink', operation: 'createLink', body: link, creates: 'link' },
        resend('resend-id', 'the id of the link', id === undefined ? undefined : String(id)),
        resend('resend-unknown', 'an unknown pay_id', String(UNKNOWN_PAY_ID)),
        resend(
          'resend-pay-id',
          'the number in its pay link',
          payId === undefined ? undefined : String(payId),
        ),
        resend(
          'resend-mixed',
          'the number in its pay link and an unknown pay_id',
          payId === undefined ? undefined : `${payId},${UNKNOWN_PAY_ID}`,
        ),
        {
          name: 'refund',
          title: 'refundPayment with the number in its pay link',
          operation: 'refundPayment',
          body: payId === undefined ? undefined : { pay_id: payId, refund_amount: AMOUNT },
        },
      ]
    },
  },
  {
    name: 'resend-status',
    title: 'a status that the reference does not list',
    behaviors: ['resendStatus'],
    pairs: [['case', 'other']],
    requests({ answers }) {
      const payId = payIdIn(answers.get('create'))
      const payIds = payId === undefined ? undefined : String(payId)
      return [
        { name: 'create', title: 'createLink', operation: 'createLink', body: link, creates: 'link' },
        resend('case', 'SUCCESS as status', payIds, 'SUCCESS'),
        resend('other', 'a status other than Success and cancel', payIds, 'calibrate'),
      ]
    },
  },
  {
    name: 'no-token',
    title: 'no token',
    behaviors: ['missingToken'],
    requests: () => withToken('none', 'without a token'),
  },
  {
    name: 'unknown-token',
    title: 'an unknown token',
    behaviors: ['unknownToken'],
    requests: () => withToken('unknown', 'with an unknown token'),
  },
  {
    name: 'split-link',
    title: 'the answer of createSplitLink',
    needs: 'recipient',
    assumptions: {
      linkFields: inAny('data.servicefee', 'data.bank_transfer', 'data.payment_config', 'data.qr_img'),
    },
    requests: ({ recipient }) => [
      {
        name: 'normal',
        title: 'createSplitLink in percent',
        operation: 'createSplitLink',
        body: { ...link, recipients: [{ token: recipient, share: 30 }] },
        creates: 'link',
      },
      {
        name: 'absolute',
        title: 'createSplitLink in euros',
        operation: 'createSplitLink',
        body: { ...link, split_type: 'absolute', recipients: [{ token: recipient, share: AMOUNT }] },
        creates: 'link',
      },
      {
        name: 'over-100',
        title: 'createSplitLink with 101 percent',
        operation: 'createSplitLink',
        body: { ...link, recipients: [{ token: recipient, share: 101 }] },
      },
      {
        name: 'over-amount',
        title: 'createSplitLink with a share above the amount',
        operation: 'createSplitLink',
        body: { ...link, split_type: 'absolute', recipients: [{ token: recipient, share: 0.02 }] },
      },
      {
        name: 'zero-share',
        title: 'createSplitLink with a share of 0',
        operation: 'createSplitLink',
        body: { ...link, recipients: [{ token: recipient, share: 0 }] },
      },
    ],
  },
  {
    name: 'check-order',
    title: 'requests with two mistakes',
    assumptions: { checkOrder: inAny('ResponseMsg') },
    requests: () => [
      {
        name: 'amount-or-recipients',
        title: 'createSplitLink without amount and recipients',
        operation: 'createSplitLink',
        body: {},
      },
      {
        name: 'amount-or-token',
        title: 'createSplitLink without an amount, with an unknown recipient',
        operation: 'createSplitLink',
        body: { recipients: [unknownShare(30)] },
      },
      {
        name: 'token-or-share',
        title: 'createSplitLink with an unknown recipient and a share of 0',
        operation: 'createSplitLink',
        body: { ...link, recipients: [unknownShare(0)] },
      },
      {
        name: 'token-or-total',
        title: 'createSplitLink with an unknown recipient and 200 percent',
        operation: 'createSplitLink',
        body: { ...link, recipients: [unknownShare(200)] },
      },
      {
        name: 'pay-id-or-amount',
        title: 'refundPayment without pay_id and refund_amount',
        operation: 'refundPayment',
        body: {},
      },
      {
        name: 'link-or-amount',
        title: 'refundPayment of an unknown payment, with the amount 0',
        operation: 'refundPayment',
        body: { pay_id: UNKNOWN_PAY_ID, refund_amount: 0 },
      },
    ],
  },
  {
    name: 'documented-errors',
    title: 'single mistakes that the reference names',
    requests: () => [
      {
        name: 'recipient',
        title: 'createSplitLink with an unknown recipient',
        operation: 'createSplitLink',
        body: SMALLEST_BODIES.createSplitLink,
      },
      {
        name: 'refund-amount',
        title: 'refundPayment without refund_amount',
        operation: 'refundPayment',
        body: { pay_id: UNKNOWN_PAY_ID },
      },
    ],
  },
  {
    name: 'own-messages',
    title: 'mistakes that the reference does not name',
    assumptions: { ownWording: inAny('ResponseMsg') },
    requests: () => [
      { name: 'operation', title: 'an unknown operation', operation: 'createLinks', body: link },
      { name: 'method', title: 'createLink with GET', operation: 'createLink', method: 'GET', body: '' },
      {
        name: 'type',
        title: 'createLink with a body of text/plain',
        operation: 'createLink',
        contentType: 'text/plain',
        body: JSON.stringify({ recipient_note: NOTE }),
      },
      { name: 'json', title: 'createLink with a body that is not JSON', operation: 'createLink', body: '{' },
      { name: 'list', title: 'createLink with a list as its body', operation: 'createLink', body: [] },
      {
        name: 'amount-type',
        title: 'createLink with true as amount',
        operation: 'createLink',
        body: { ...link, amount: true },
      },
      {
        name: 'amount-zero',
        title: 'createLink with the amount 0',
        operation: 'createLink',
        body: { ...link, amount: 0 },
      },
      {
        name: 'pay-ids',
        title: 'sendWebhookViaPayId without pay_ids',
        operation: 'sendWebhookViaPayId',
        body: { status: 'Success' },
      },
      {
        name: 'page',
        title: 'getTaxInvoiceList with page 0',
        operation: 'getTaxInvoiceList',
        body: { page: 0 },
      },
    ],
  },
  {
    name: 'decimals',
    title: 'an amount with three decimals',
    behaviors: ['amountDecimals'],
    requests: () => [
      {
        name: 'amount',
        title: 'createLink with the amount 0.011',
        operation: 'createLink',
        body: { ...link, amount: 0.011 },
        creates: 'possible-link',
      },
    ],
  },
  {
    name: 'unusual-fields',
    title: 'null, an empty text, an unknown field and unusual addresses',
    assumptions: {
      optionalFields: [
        ...inRequest('null', 'ResponseCode', 'data.recipient_note'),
        ...inRequest('empty', 'ResponseCode', 'data.is_qr_link'),
      ],
      unknownFields: inRequest('unknown', 'ResponseCode'),
      addresses: [
        ...inRequest('app-address', 'ResponseCode'),
        ...inRequest('capitals', 'ResponseCode', 'data.callback_url'),
        ...inRequest('encoded-comma', 'ResponseCode'),
      ],
    },
    requests: () =>
      [
        { name: 'null', title: 'the note null', fields: { recipient_note: null } },
        { name: 'empty', title: 'an empty is_qr_link', fields: { is_qr_link: '' } },
        { name: 'unknown', title: 'an unknown field', fields: { paylink_calibrate: true } },
        { name: 'app-address', title: 'an address of an app', fields: { callback_url: 'calibrate://done' } },
        {
          name: 'capitals',
          title: 'an address in capitals',
          fields: { callback_url: 'HTTPS://CALIBRATE.INVALID:443/{done}' },
        },
        {
          name: 'encoded-comma',
          title: 'an encoded comma in an address',
          fields: { payment_endpoint: `${TARGET}?ids=1%2C2` },
        },
      ].map(({ name, title, fields }) => ({
        name,
        title: `createLink with ${title}`,
        operation: 'createLink',
        body: { ...link, ...fields },
        creates: 'possible-link',
      })),
  },
  {
    name: 'invoices',
    title: 'the answers of getTaxInvoiceList',
    assumptions: { emptyBody: inRequest('empty', 'ResponseCode') },
    requests: () => [
      {
        name: 'empty',
        title: 'getTaxInvoiceList with an empty body',
        operation: 'getTaxInvoiceList',
        body: '',
      },
      { name: 'all', title: 'getTaxInvoiceList', operation: 'getTaxInvoiceList', body: {} },
      {
        name: 'page',
        title: 'getTaxInvoiceList with one invoice a page',
        operation: 'getTaxInvoiceList',
        body: { page: 1, limit: 1 },
      },
      {
        name: 'past-the-end',
        title: 'getTaxInvoiceList past the last page',
        operation: 'getTaxInvoiceList',
        body: { page: 100_000, limit: 1 },
      },
    ],
  },
  {
    name: 'payment',
    title: 'a link that you pay',
    needs: 'payment',
    behaviors: ['webhookEncoding', 'formEncoding', 'statusText', 'amountText', 'payId'],
    timing: ['order', 'retries'],
    assumptions: {
      resendAnswer: inRequest('resend', 'ResponseCode', 'ResponseMsg', 'data'),
      fullRefundAmount: inRequest('refund-half', 'ResponseCode', 'ResponseMsg'),
    },
    requests(context) {
      const payId = redirectedPayId(context)
      const refund = (name: string, title: string, amount: number): ProbeRequest => ({
        name,
        title: `refundPayment of ${title}`,
        operation: 'refundPayment',
        body: payId === undefined ? undefined : { pay_id: payId, refund_amount: amount, isFullRefund: true },
      })
      return [
        linkToPay(context),
        notification('redirect', 'pay', 'the redirect after a payment'),
        notification('webhook', 'pay', 'the webhook of a payment'),
        resend('resend', 'a paid link', payId === undefined ? undefined : String(payId)),
        refund('refund-half', 'half of the payment, as a full refund', PAID_AMOUNT / 2),
        refund('refund-more', 'more than the payment', PAID_AMOUNT * 2),
        refund('refund', 'the whole payment', PAID_AMOUNT),
        refund('refund-again', 'a payment that is already refunded', PAID_AMOUNT),
      ]
    },
  },
  {
    name: 'cancellation',
    title: 'a payment that you cancel',
    needs: 'payment',
    behaviors: ['cancelWebhook'],
    requests(context) {
      const payId = redirectedPayId(context)
      return [
        linkToPay(context),
        notification('redirect', 'cancel', 'the redirect after a cancellation'),
        notification('webhook', 'cancel', 'the webhook of a cancellation'),
        {
          name: 'refund',
          title: 'refundPayment of a cancelled payment',
          operation: 'refundPayment',
          body: payId === undefined ? undefined : { pay_id: payId, refund_amount: PAID_AMOUNT },
        },
      ]
    },
  },
]

type ProbedName =
  | 'errorStatus'
  | 'numericStrings'
  | 'booleanAsText'
  | 'textAsNumber'
  | 'requestBody'
  | 'indexOutOfRange'
  | 'https'
  | 'payId'
  | 'resendUnpaid'
  | 'resendStatus'
  | 'refundUnpaid'
  | 'resendAnswer'
  | 'missingToken'
  | 'unknownToken'
  | 'createLink'
  | 'linkFields'
  | 'linkId'
  | 'storedUrls'
  | 'repeatedEntries'
  | 'serverTime'
  | 'checkOrder'
  | 'ownWording'
  | 'amountDecimals'
  | 'emptyBody'
  | 'optionalFields'
  | 'unknownFields'
  | 'addresses'

type PaidName =
  | 'cancelWebhook'
  | 'webhookEncoding'
  | 'formEncoding'
  | 'statusText'
  | 'amountText'
  | 'retries'
  | 'order'
  | 'fullRefundAmount'

const NEEDS_PAYMENT = 'This shows only when a link is paid. Pass --pay, and pay one.'
const NEEDS_RECEIVER = 'This shows only in a webhook. Pass --pay and --receiver.'
const NEEDS_OPERATOR = 'This shows only after an operator of the service has decided.'
const NEEDS_INVOICE = 'This shows only with certain invoices, and no call creates an invoice.'

/** For each open point that only probes with a payment can decide, the reason. */
export const paidOnly: Readonly<Record<PaidName, string>> = {
  cancelWebhook: NEEDS_RECEIVER,
  webhookEncoding: NEEDS_RECEIVER,
  formEncoding: NEEDS_RECEIVER,
  statusText: NEEDS_PAYMENT,
  amountText: NEEDS_RECEIVER,
  retries: NEEDS_RECEIVER,
  order: NEEDS_RECEIVER,
  fullRefundAmount: NEEDS_PAYMENT,
}

/** For each open point that no probe decides, the reason. */
export const unprobed: Readonly<Record<Exclude<AssumptionName, ProbedName | PaidName>, string>> = {
  rateLimit: 'It is only observed: calibrate does not provoke a limit.',
  rejectedRefund: NEEDS_OPERATOR,
  disputeOutcome: NEEDS_OPERATOR,
  wonDispute: NEEDS_OPERATOR,
  amountLimit: 'This shows only in a link of a billion euros, which calibrate does not create.',
  shareRounding: 'This shows only in the payouts, and no call returns them.',
  requestEncoding: 'calibrate sends no compressed bodies.',
  bodyLimits: 'calibrate sends no body that is too large or too deep.',
  invoiceSearch: NEEDS_INVOICE,
  invoiceMonth: NEEDS_INVOICE,
  invoiceOrder: NEEDS_INVOICE,
  invoiceFees: NEEDS_INVOICE,
  invoiceNumbers: NEEDS_INVOICE,
  linkStates: NEEDS_OPERATOR,
  transferRedirect: NEEDS_OPERATOR,
  payoutFees: 'This shows only in the payouts, and no call returns them.',
  redirectQuery: 'The addresses that calibrate uses have no query of their own.',
  webhookSignature: 'A signature could have any name. Look for one in the webhooks that --har saves.',
  webhookAnswer: 'calibrate answers every webhook at once, and with 200.',
}
