import type { Outcome } from '../client/payments.ts'
import type { AccountView, DeliveryView, FaultView, LinkView, RefundView } from '../contract/views.ts'
import { deliveryStatus } from '../contract/format/terminal-lines.ts'
import { faultPointText, NO_LISTENER } from '../contract/format/describe-event.ts'
import { formatStatus } from '../contract/format/event-row.ts'
import { formatAmount, times } from '../contract/format/values.ts'
import type { ToolAnswer } from './answer.ts'
import type { InspectorLinks } from './inspector-links.ts'

/** `Link 1001 (pay_id 1001) is paid: €20.00`. Contains no untrusted text. */
export const linkLine = ({ id, payId, status, amount }: LinkView): string =>
  `Link ${id} (pay_id ${payId}) is ${status.replace('-', ' ')}: ${formatAmount(amount)}`

/** The texts that the app has written into a link. */
export const linkTexts = ({ note, callbackUrl, targets }: LinkView) => ({
  ...(note === '' ? {} : { note }),
  ...(callbackUrl === '' ? {} : { callbackUrl }),
  webhookTargets: targets.map(({ url, mappedTo }) => (mappedTo === undefined ? url : `${url} → ${mappedTo}`)),
})

/** `Webhook 1 of link 1001 failed: ✕ 500, 2 attempts`. Contains no untrusted text. */
export function describeDelivery(delivery: DeliveryView): string {
  const { id, linkId, state, attempts, nextAttemptAt, storedIn } = delivery
  if (storedIn !== undefined) {
    return `Webhook ${id} of link ${linkId} is stored in a tunnel, because ${NO_LISTENER}: no app has it`
  }
  return [
    `Webhook ${id} of link ${linkId} ${STATE_TEXT[state]}${attempts.length === 0 ? '' : `: ${formatStatus(deliveryStatus(delivery))}`}`,
    ...(attempts.length > 1 ? [`${attempts.length} attempts`] : []),
    ...(nextAttemptAt === null ? [] : [`next attempt at ${nextAttemptAt}`]),
  ].join(', ')
}

const STATE_TEXT = {
  delivered: 'was delivered',
  failed: 'failed',
  held: 'is held',
  pending: 'is pending',
} as const satisfies Readonly<Record<DeliveryView['state'], string>>

/** Where a webhook goes, and why it did not arrive. */
export const deliveryTexts = ({ id, target, mappedTo, storedIn, heldReason, attempts }: DeliveryView) => ({
  webhook: id,
  target,
  ...(storedIn === undefined ? {} : { tunnel: storedIn }),
  ...(mappedTo === undefined ? {} : { mappedTo }),
  ...(heldReason === null ? {} : { heldReason }),
  ...errorOf(attempts.at(-1)),
})

function errorOf(last: DeliveryView['attempts'][number] | undefined) {
  const error = last?.takenBy?.error ?? last?.error
  return error == null ? {} : { error }
}

/** Contains no untrusted text, and therefore not the name of the tunnel. */
export const STORED_ADVICE =
  'To get stored webhooks into the app, connect a listener to the tunnel with `npx paylink-sandbox listen <tunnel> --since all --forward-to <address of the app>`. Or set the paymentEndpoint to the address of the app with account, for later payments.'

/** The result of a payment or a cancellation. */
export function describeOutcome(
  { link, redirect, deliveries }: Outcome,
  inspector: InspectorLinks,
): ToolAnswer {
  const hasFailed = deliveries.some(({ state, attempts }) => state === 'failed' || attempts.length > 1)
  return {
    lines: [
      linkLine(link),
      redirect === null ? 'The browser was not redirected.' : 'The browser was redirected to the shop.',
      ...(deliveries.length === 0 ? ['No webhook was sent.'] : deliveries.map(describeDelivery)),
      ...(hasFailed ? ['Use explain_webhook to find out why.'] : []),
      ...(deliveries.some(({ storedIn }) => storedIn !== undefined) ? [STORED_ADVICE] : []),
    ],
    inspector: inspector.payment(link),
    untrusted: {
      ...linkTexts(link),
      ...(redirect === null ? {} : { redirect: redirect.location }),
      ...(deliveries.length === 0 ? {} : { webhooks: deliveries.map(deliveryTexts) }),
    },
  }
}

/** `Fault 3 on API calls of createLink: triggered 2 times, used up` */
export function faultLine({ id, on, operation, accountId, remaining, triggered }: FaultView): string {
  const limits = [operation && ` of ${operation}`, accountId && `, account ${accountId}`]
  const use = triggered === 0 ? 'not triggered yet' : `triggered ${times(triggered)}`
  const left = remaining === 0 ? ', used up' : ''
  return `Fault ${id} on ${faultPointText[on]}${limits.filter(Boolean).join('')}: ${use}${left}`
}

export const faultTexts = ({ id, script, target }: FaultView) => ({
  fault: id,
  script,
  ...(target === null ? {} : { target }),
})

/** `Refund of €20.00 for pay_id 1001 is approved` */
export const refundLine = ({ payId, amount, state }: RefundView): string =>
  `Refund of ${formatAmount(amount)} for pay_id ${payId} is ${state}`

export const accountLines = ({ id, environment, apiKey, recipientToken }: AccountView): string[] => [
  `Account ${id}, ${environment}`,
  `  API key ${apiKey}`,
  `  recipient token ${recipientToken}`,
]

/** The texts that users have written into an account. */
export const accountTexts = ({ name, paymentEndpoint, callbackUrls, webhookUrls }: AccountView) => ({
  name,
  paymentEndpoint,
  ...(callbackUrls.length === 0 ? {} : { callbackUrls }),
  ...(webhookUrls.length === 0 ? {} : { webhookUrls }),
})
