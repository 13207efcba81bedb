import type { DeliveryView, EventView } from '../views.ts'
import type { Diagnostic } from '../../domain/diagnostics/diagnostic.ts'
import { visibleLine } from '../../domain/text/visible.ts'
import { attemptStatus, describeEvent, NO_LISTENER, fetchedText, webhookOf } from './describe-event.ts'
import { retryingStatus, formatStatus, storedStatus, waitingStatus, type Status } from './event-row.ts'
import { toneText } from './terminal-text.ts'
import { formatTimeOrDate } from './values.ts'

/** `12  10:00:00.123  delivery.attempted  ✓ 200  pay 1001  webhook 1  127.0.0.1:3000/webhooks  status: Success` */
export function eventLine(event: EventView): string {
  const { lead, rest, ...status } = describeEvent(event)
  const webhook = webhookOf(event)
  return columns(
    String(event.seq).padStart(5),
    localTime(event.at),
    event.type.padEnd(18),
    toneText(status.tone, formatStatus(status).padEnd(11)),
    event.payId === null ? '' : `pay ${event.payId}`,
    webhook === null ? '' : `webhook ${webhook}`,
    visibleLine(lead),
    visibleLine(rest),
  )
}

/** `error receiverGone: The receiver could not be reached. Seen: …. Start your app, …` */
export const diagnosticLine = ({ severity, code, title, seen, fix }: Diagnostic): string =>
  `${severity} ${code}: ${title}. Seen: ${visibleLine(seen)}. ${fix}`

/** `Webhook 1  ✓ 200  to http://127.0.0.1:3000/webhooks` */
export function deliveryLine(delivery: DeliveryView): string {
  const { id, state, target, mappedTo, attempts, heldReason, nextAttemptAt, storedIn } = delivery
  const to = mappedTo === undefined ? target : `${target} → ${mappedTo}`
  const status = deliveryStatus(delivery)
  const last = attempts.at(-1)
  const fetched = last?.takenBy === undefined ? '' : fetchedText(last.takenBy)
  const more = {
    delivered: storedIn === undefined ? fetched : NO_LISTENER,
    failed: [fetched, last?.takenBy?.error ?? last?.error].filter(Boolean).join(', '),
    held: heldReason ?? '',
    pending:
      nextAttemptAt === null || attempts.length === 0 ? '' : `next attempt at ${localTime(nextAttemptAt)}`,
  }
  return columns(`Webhook ${id}`, toneText(status.tone, formatStatus(status)), `to ${to}`, more[state])
}

/** The status of a webhook: `✓ 200`, `✕ no response`, `↻ 500`, `○ stored`, `○ held` or `○ pending`. */
export function deliveryStatus({ state, attempts, nextAttemptAt, storedIn }: DeliveryView): Status {
  const last = attempts.at(-1)
  // If a listener has fetched a stored webhook, its status is the response of the app.
  const answered = last?.takenBy ?? last
  const answerStatus = () => attemptStatus(answered?.status ?? null)
  switch (state) {
    case 'delivered':
      return storedIn === undefined ? answerStatus() : storedStatus(null)
    case 'failed':
      return answerStatus()
    case 'held':
      return waitingStatus('held')
    case 'pending':
      return nextAttemptAt === null || last === undefined
        ? waitingStatus('pending')
        : retryingStatus(answerStatus())
  }
}

const localTime = (at: string): string => formatTimeOrDate(at, Date.now(), false)

const columns = (...cells: readonly string[]): string => cells.filter((cell) => cell !== '').join('  ')
