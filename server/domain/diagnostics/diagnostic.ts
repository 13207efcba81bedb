import { formatSeconds, SLOW_ANSWER_MS, WEBHOOK_TIMEOUT_MS } from '../webhooks/limits.ts'
import { hidePasswords } from '../network/credentials.ts'

/**
 * The severities of findings. `error`: the call or the webhook failed. `warning`: it worked, but may fail next time. `hint`: it
 * depends on a point that the reference leaves open.
 */
export const severities = ['hint', 'warning', 'error'] as const

export type Severity = (typeof severities)[number]

export const isAtLeastSeverity = (severity: Severity, minimum: Severity): boolean =>
  severities.indexOf(severity) >= severities.indexOf(minimum)

interface DiagnosticText {
  readonly severity: Severity
  readonly title: string
  readonly expected: string
  readonly fix: string
}

/** The texts of all findings. The code that detects a finding adds `seen`. */
const diagnosticTexts = {
  keyInAuthorization: {
    severity: 'error',
    title: 'The API key was sent in the header Authorization',
    expected: 'the API key in the header token',
    fix: 'Send the header `token: <API key>`, without Bearer.',
  },
  keyInOtherHeader: {
    severity: 'error',
    title: 'The API key was sent in the wrong header',
    expected: 'the API key in the header token',
    fix: 'Send the header `token: <API key>`.',
  },
  unknownKey: {
    severity: 'error',
    title: 'No account has this API key',
    expected: 'the API key of a development account of this sandbox',
    fix: 'Compare it with the API keys of your accounts. A key that was rotated is no longer valid.',
  },
  keyOfOtherEnvironment: {
    severity: 'error',
    title: 'A production key was sent to the development environment',
    expected: 'a development key',
    fix: 'Use the key of a development account here, and the production key in production only.',
  },
  recipientTokenAsKey: {
    severity: 'error',
    title: 'A recipient token was sent as the API key',
    expected: 'the API key of the account that makes the call',
    fix: "Send the account's API key. A recipient token only identifies the recipient of a share.",
  },
  notJson: {
    severity: 'error',
    title: 'The body is not JSON',
    expected: 'a JSON object, with Content-Type: application/json',
    fix: 'Encode the fields as a JSON object with a JSON encoder, and set Content-Type.',
  },
  encodedBody: {
    severity: 'error',
    title: 'The body is compressed',
    expected: 'a body without compression, and no Content-Encoding',
    fix: 'Switch off the compression of requests in your HTTP client. The reference does not say whether the service decompresses them.',
  },
  formBody: {
    severity: 'warning',
    title: 'The body is a form',
    expected: 'a JSON object, with Content-Type: application/json',
    fix: 'Send JSON, as the reference says. The sandbox accepts the form only because of requestBody=json-or-form.',
  },
  wrongOperation: {
    severity: 'error',
    title: 'There is no such operation',
    expected: 'one of the operations of the reference',
    fix: 'Correct the path. Operations are below /api/v2/, with capital letters as in the reference.',
  },
  wrongMethod: {
    severity: 'error',
    title: 'The method is not POST',
    expected: 'POST',
    fix: 'Call every operation with POST. A redirect, for example from http to https, turns a POST into a GET.',
  },
  unknownField: {
    severity: 'warning',
    title: 'The body has an unknown field',
    expected: 'the fields of the operation',
    fix: 'Correct its name or remove it. The sandbox ignores it. The reference does not say whether the service also ignores it.',
  },
  numberAsText: {
    severity: 'error',
    title: 'A number was sent as text',
    expected: 'a JSON number',
    fix: 'Send the number without quotes, and with a point before the decimals: 12.5. The reference does not say whether the service accepts text. With numericStrings=accept, this finding is only a warning.',
  },
  textAsNumber: {
    severity: 'error',
    title: 'Text was sent as a number',
    expected: 'a JSON string',
    fix: 'Send the value in quotes.',
  },
  booleanAsText: {
    severity: 'error',
    title: 'A boolean was sent as text',
    expected: 'true or false',
    fix: 'Send the boolean without quotes.',
  },
  floatCents: {
    severity: 'error',
    title: 'An amount has more than two decimals',
    expected: 'euros with at most two decimals',
    fix: 'Calculate in cents, and divide by 100 only when you write the request.',
  },
  keyAsRecipient: {
    severity: 'error',
    title: 'An API key was sent as a recipient',
    expected: 'a recipient token',
    fix: 'Send the recipient token of this account. Its API key is a secret.',
  },
  noWebhookTarget: {
    severity: 'warning',
    title: 'No webhook will be sent for this link',
    expected: 'a payment_endpoint, in the request or in the account',
    fix: "Send payment_endpoint, or set the account's payment endpoint. The redirect alone can be lost or forged.",
  },
  indexOutOfRange: {
    severity: 'error',
    title: 'An index points past the end of a URL list',
    expected: "an index of the account's list, counted from 0",
    fix: "Correct the index, or add the URL to the account's list.",
  },
  severalCallbackUrls: {
    severity: 'warning',
    title: 'Several callback URLs were sent',
    expected: 'one callback_url',
    fix: 'Send one. Only the first of several is used.',
  },
  linkIdAsPayId: {
    severity: 'error',
    title: 'The id of a link was sent as pay_id',
    expected: 'the pay_id of the redirect or the webhook (linktopay_id)',
    fix: 'Store the pay_id of the webhook with your order, and send this pay_id.',
  },
  payIdEqualsId: {
    severity: 'warning',
    title: 'The pay_id is also the id of the link',
    expected: 'code that does not rely on equal ids',
    fix: 'Run your tests with payId=distinct. Code that mixes up the two ids then fails.',
  },
  fullRefundAmount: {
    severity: 'error',
    title: 'A full refund was requested with a different amount',
    expected: 'the full amount, or isFullRefund false',
    fix: 'Send refund_amount equal to the amount paid, or leave isFullRefund out.',
  },
  refundBeforePayment: {
    severity: 'error',
    title: 'A refund was requested before the payment',
    expected: 'a link that is paid',
    fix: 'Request a refund only after the webhook with status Success.',
  },
  sameLinkTwice: {
    severity: 'warning',
    title: 'The same link was created twice within seconds',
    expected: 'one link for each order',
    fix: 'Store the link with the order before you answer, and reuse it if the customer clicks again.',
  },
  receiverRefused: {
    severity: 'error',
    title: 'The receiver did not answer with 2xx',
    expected: `any 2xx within ${formatSeconds(WEBHOOK_TIMEOUT_MS)}`,
    fix: "Read the answer, or your app's log, and mend the cause. Answer 200 as soon as the webhook is stored.",
  },
  receiverRedirected: {
    severity: 'error',
    title: 'The receiver answered with a redirect',
    expected: 'any 2xx. The sandbox follows no redirect, and the service may not follow one either',
    fix: 'Use the address that the redirect leads to. It often differs only in the scheme, the host or the slash at the end. Do not require a login for webhooks.',
  },
  receiverShowedPage: {
    severity: 'warning',
    title: 'The receiver answered with a web page',
    expected: 'a short answer of the webhook handler',
    fix: 'Compare the path with your routes. Often, a login page or a single-page app answers every path with 200.',
  },
  receiverWantsJson: {
    severity: 'error',
    title: 'The receiver seems to expect JSON instead of a form',
    expected: 'a handler that reads application/x-www-form-urlencoded with bracket keys',
    fix: 'Parse forms with bracket keys (data[pay_id]) on this path, and JSON as well. webhookEncoding=json sends JSON.',
  },
  receiverSlow: {
    severity: 'warning',
    title: 'The receiver was slow to answer',
    expected: `an answer within ${formatSeconds(SLOW_ANSWER_MS)}`,
    fix: `Store the webhook, answer, and then do the work. In the sandbox, a webhook fails after ${formatSeconds(WEBHOOK_TIMEOUT_MS)}. The reference names no limit.`,
  },
  receiverUnfinished: {
    severity: 'warning',
    title: 'The receiver did not finish its answer',
    expected: 'an answer that ends',
    fix: 'End the response after its status. In the sandbox, the webhook counts as delivered, because the status was 2xx. The real service may wait for the whole answer, and send the webhook again.',
  },
  receiverGone: {
    severity: 'error',
    title: 'The receiver could not be reached',
    expected: 'an app that listens at the target',
    fix: 'Start your app, and compare its host and port with those of the target.',
  },
  receiverTls: {
    severity: 'error',
    title: 'The TLS connection to the receiver failed',
    expected: 'a certificate that Node trusts, for the host of the target',
    fix: 'Correct the certificate of your app, or set NODE_EXTRA_CA_CERTS to its file, and restart.',
  },
  containerLocalhost: {
    severity: 'error',
    title: "Nothing listens at the target inside the sandbox's container",
    expected: 'an app that listens at the target. In a container, localhost is the container itself',
    fix: 'Start your app, and compare the port. If your app runs outside of the container, use host.docker.internal instead of localhost. On Linux, start the container with --add-host=host.docker.internal:host-gateway, and make your app listen on 0.0.0.0.',
  },
  containerHost: {
    severity: 'hint',
    title: 'The webhook went to the host of the container',
    expected: 'an app that listens at the target. In a container, localhost is the container itself',
    fix: 'Nothing is wrong. Use host.docker.internal instead of localhost to send webhooks there directly.',
  },
} as const satisfies Record<string, DiagnosticText>

export type DiagnosticCode = keyof typeof diagnosticTexts

export const diagnosticCodes = Object.keys(diagnosticTexts) as readonly DiagnosticCode[]

/** A finding about an integrator's request or response. It never changes a response. */
export interface Diagnostic extends DiagnosticText {
  readonly code: DiagnosticCode
  /** What was found, if it differs from what was expected. */
  readonly seen: string
}

/** Texts and a severity that replace the usual ones of a finding. */
export type Overrides = Partial<DiagnosticText>

/** Adds a finding about a call. */
export type Report = (...finding: Parameters<typeof createDiagnostic>) => void

/** The maximum number of findings with the same code in one call, because a request can repeat a mistake a thousand times. */
export const MAX_PER_CODE = 10

/** A finding. `overrides` replace its usual texts. */
export const createDiagnostic = (
  code: DiagnosticCode,
  seen: string,
  overrides: Overrides = {},
): Diagnostic => ({
  code,
  ...diagnosticTexts[code],
  ...overrides,
  seen: hidePasswords(seen),
})
