import type { EventView, DeliveryView } from '../contract/views.ts'
import { describe, type Tone } from './describe-event.ts'
import type { Diagnostic } from '../domain/diagnostics/diagnostic.ts'
import { momentTime } from './values.ts'
import { styleText } from 'node:util'

/** What came from outside must not move the cursor of a terminal. */
// eslint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')

/** `12  10:00:00.123  delivery.attempted  ✓ 200  pay 1001  webhook 1  127.0.0.1:3000/webhooks  says Success` */
export function eventLine(event: EventView): string {
  const { tone, status, request, message } = describe(event)
  return columns(
    String(event.seq).padStart(5),
    timeOf(event.at),
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
  const webhook = (tone: Tone, status: string, more: string | null | undefined): string =>
    columns(`Webhook ${id}`, colour(tone, status), `to ${to}`, more ?? '')
  switch (state) {
    case 'delivered':
      return webhook('ok', `✓ ${last?.status}`, null)
    case 'failed':
      return webhook('err', `✕ ${last?.status ?? 'no answer'}`, last?.error)
    case 'held':
      return webhook('warn', '○ held', heldReason)
    case 'pending':
      return nextAttemptAt === null || last === undefined
        ? webhook('warn', '○ on its way', null)
        : webhook('warn', `✕ ${last.status ?? 'no answer'}`, `tried again at ${timeOf(nextAttemptAt)}`)
  }
}

/** On the clock of whoever reads it. */
const timeOf = (at: string): string => momentTime(at, Date.now(), false)

const columns = (...cells: readonly string[]): string => cells.filter((cell) => cell !== '').join('  ')

const COLOURS = { ok: 'green', err: 'red', warn: 'yellow', plain: 'dim' } as const satisfies Record<
  Tone,
  string
>

/** What decides on colours: a stream of a terminal, which reads NO_COLOR too. */
interface Terminal {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/** Colours a text, if it is written to a terminal. */
export const toneText = (tone: Tone, text: string, stream: Terminal): string =>
  stream.isTTY && stream.hasColors?.() ? styleText(COLOURS[tone], text) : text

const colour = (tone: Tone, text: string): string => toneText(tone, text, process.stdout)
