import type { BrowserAction } from '../domain/links/link.ts'
import type { Outcome } from '../client/payments.ts'
import { formatAmount } from '../contract/format/values.ts'
import { deliveryLine } from '../contract/format/terminal-lines.ts'

/** 1 if a webhook failed or is held. A webhook that will be retried does not count as failed, because it may still arrive. */
export const exitCodeOfOutcome = ({ deliveries }: Outcome): 0 | 1 =>
  deliveries.some(({ state }) => state === 'failed' || state === 'held') ? 1 : 0

/** The result of a payment, as lines of text. */
export function outcomeText(
  { link, redirect, deliveries }: Outcome,
  browser: BrowserAction | undefined,
): string {
  const redirectLine =
    redirect === null
      ? browser === 'closes'
        ? 'was closed before it could return'
        : 'stays at the result page'
      : `was sent to ${redirect.location}${redirect.mappedFrom === undefined ? '' : `, mapped from ${redirect.mappedFrom}`}`
  return [
    `Link ${link.id} is ${link.status.replace('-', ' ')}: ${formatAmount(link.amount)}`,
    `Browser ${redirectLine}`,
    ...(deliveries.length === 0 ? [noWebhook(link)] : deliveries.map(deliveryLine)),
  ].join('\n')
}

/** If no webhook was sent for a paid link, the link has no target. */
const noWebhook = ({ status }: Outcome['link']): string =>
  status === 'paid'
    ? 'No webhook, because neither the link nor its account has a payment endpoint'
    : 'No webhook'
