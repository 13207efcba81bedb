import { connectSandbox } from '../client/connect-sandbox.ts'
import { readPaymentEvents } from '../client/payment-events.ts'
import type { Payments } from '../client/payments.ts'
import { paymentsOf, reachOf, verdictOfEvents } from '../contract/format/verdict.ts'
import type { Address } from './connect.ts'

/** Whether all payments of a run have reached the app, or why not and what to do. Empty if there was no payment. */
export async function verdictOfRun({ url, ...options }: Address): Promise<string[]> {
  await using sandbox = await connectSandbox(url, options)
  return verdictLines(sandbox)
}

/** The number of payments whose outcome the app does not know, because a webhook failed, is held or is stored. */
export async function countMissed(sandbox: Pick<Payments, 'events'>): Promise<number> {
  const payments = paymentsOf(await readPaymentEvents(sandbox))
  const reaches = payments.map(({ status, webhooks }) => reachOf(status, webhooks))
  return reaches.filter((reach) => reach === 'missed' || reach === 'stored').length
}

/** Whether all payments have reached the app, or why not and what to do. Empty if none was paid or cancelled. */
export async function verdictLines(sandbox: Pick<Payments, 'events'>): Promise<string[]> {
  const events = await readPaymentEvents(sandbox)
  if (!events.some(({ type }) => type === 'link.paid' || type === 'link.cancelled')) return []
  const { headline, reason, remedy } = verdictOfEvents(events)
  return [[headline, reason, remedy].filter(Boolean).join(' ')]
}
