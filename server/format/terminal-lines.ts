import { styleText } from 'node:util'
import type { DeliveryView, EventView } from '../contract/views.ts'
import type { Diagnostic } from '../domain/diagnostics/diagnostic.ts'
import { describeEvent } from './describe-event.ts'
import type { Tone } from './event-row.ts'
import { formatTimeOrDate } from './values.ts'

/** Replaces control characters, so that received text cannot move the terminal's cursor. */
// eslint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')

/** `12  10:00:00.123  delivery.attempted  ✓ 200  pay 1001  webhook 1  127.0.0.1:3000/webhooks  status: Success` */
export function eventLine(event: EventView): string {
  const { tone, status, request, message } = describeEvent(event)
  return columns(
    String(event.seq).padStart(5),
    localTime(event.at),
    event.type.padEnd(18),
    colour(tone, status.padEnd(11)),
    event.payId === null ? '' : `pay ${event.payId}`,
    'deliveryId' in event ? `webhook ${event.deliveryId}` : '',
    printable(request),
    printable(message),
  )
}

/** `error receiverGone: The receiver could not be reached. Seen: …. Start your app, …` */
export const diagnosticLine = ({ severity, code, title, seen, fix }: Diagnostic): string =>
  `${severity} ${code}: ${title}. Seen: ${printable(seen)}. ${fix}`

/** `Webhook 1  ✓ 200  to http://127.0.0.1:3000/webhooks` */
export function deliveryLine(delivery: DeliveryView): string {
  const { id, state, target, mappedTo, attempts, heldReason, nextAttemptAt } = delivery
  const to = mappedTo === undefined ? target : `${target} → ${mappedTo}`
  const last = attempts.at(-1)
  const failure = `✕ ${last?.status ?? 'no response'}`
  const line = (tone: Tone, status: string, more?: string | null): string =>
    columns(`Webhook ${id}`, colour(tone, status), `to ${to}`, more ?? '')
  switch (state) {
    case 'delivered':
      return line('ok', `✓ ${last?.status}`)
    case 'failed':
      return line('err', failure, last?.error)
    case 'held':
      return line('warn', '○ held', heldReason)
    case 'pending':
      return nextAttemptAt === null || last === undefined
        ? line('warn', '○ pending')
        : line('warn', failure, `next attempt at ${localTime(nextAttemptAt)}`)
  }
}

const localTime = (at: string): string => formatTimeOrDate(at, Date.now(), false)

const columns = (...cells: readonly string[]): string => cells.filter((cell) => cell !== '').join('  ')

const COLOURS = { ok: 'green', err: 'red', warn: 'yellow', plain: 'dim' } as const satisfies Record<
  Tone,
  string
>

/** A stream of a terminal. `hasColors()` respects `NO_COLOR`. */
interface Terminal {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/** Colours a text, if it is written to a terminal. */
export const toneText = (tone: Tone, text: string, stream: Terminal): string =>
  stream.isTTY && stream.hasColors?.() ? styleText(COLOURS[tone], text) : text

const colour = (tone: Tone, text: string): string => toneText(tone, text, process.stdout)
