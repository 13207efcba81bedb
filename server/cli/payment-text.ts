import type { Outcome } from '../client/payments.ts'
import { formatAmount } from '../format/values.ts'
import { deliveryLine } from '../format/terminal-lines.ts'

/** Whether what was asked for happened: the payment did, so the webhooks decide. One that is tried again may yet arrive. */
export const exitCodeOfOutcome = ({ deliveries }: Outcome): 0 | 1 =>
  deliveries.some(({ state }) => state === 'failed' || state === 'held') ? 1 : 0

/** What an outcome led to, in lines for people. */
export function outcomeText(
  { link, redirect, deliveries }: Outcome,
  browser: 'returns' | 'closes' | undefined,
): string {
  const went =
    redirect === null
      ? browser === 'closes'
        ? 'was closed before it could return'
        : 'stays at the result page'
      : `was sent to ${redirect.location}${redirect.mappedFrom === undefined ? '' : `, mapped from ${redirect.mappedFrom}`}`
  return [
    `Link ${link.id} is ${link.status.replace('-', ' ')}: ${formatAmount(link.amount)}`,
    `Browser ${went}`,
    ...(deliveries.length === 0 ? [noWebhook(link)] : deliveries.map(deliveryLine)),
  ].join('\n')
}

/** Once it is paid, nothing but a target is wanting. */
const noWebhook = ({ status }: Outcome['link']): string =>
  status === 'paid' ? 'No webhook, as neither the link nor its account says where one goes' : 'No webhook'
