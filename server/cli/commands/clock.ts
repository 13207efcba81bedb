import type { ClockChange, Span, Time } from '../../client/clock.ts'
import type { Sandbox } from '../../client/connect-sandbox.ts'
import type { ClockView } from '../../contract/views.ts'
import { formatDateTimeSeconds, plural } from '../../contract/format/values.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { connect } from '../connect.ts'
import { invoiceLine } from '../invoice-text.ts'
import { type CommandIo, print } from '../io.ts'
import { readAction } from '../read-action.ts'
import { readArguments } from '../read-arguments.ts'

/** Shows the sandbox's clock, or moves it. Moving it resolves when everything that fell due has happened. */
export async function clock(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands: given } = readArguments('clock', args)
  const { action, operands } = readAction('clock', joinSpan(given))
  const by = action === 'advance' ? readSpan(operands[0]!) : undefined
  const time = action === 'advance' ? undefined : readTime(`clock ${action}`, operands[0])
  const sandbox = await connect(flags, io)
  const { clock: handle } = sandbox

  const moves = {
    show: () => handle.read(),
    advance: () => handle.advance(by!),
    set: () => handle.set(time!),
    freeze: () => handle.freeze(time),
    resume: () => handle.resume(),
    real: () => handle.useReal(),
  }
  const result = await moves[action]()
  const lines = flags.json ? [] : await linesOf(result, sandbox)
  print(io, flags.json, result, () => lines.join('\n'))
  return 0
}

/** Joins a span of several words, so that one message says how to write it: `advance 1 month` becomes `advance "1 month"`. */
const joinSpan = ([action, ...rest]: readonly string[]): readonly string[] =>
  action === undefined
    ? []
    : action === 'advance' && rest.length > 0
      ? [action, rest.join(' ')]
      : [action, ...rest]

const UNITS = { mo: 'months', d: 'days', h: 'hours', m: 'minutes', s: 'seconds' } as const

/** `2d`, `1h30m`, `1mo` or `next-month`. */
function readSpan(text: string): Span | { readonly to: 'next-month' } {
  if (text === 'next-month') return { to: text }
  const span = parseSpan(text)
  if (span !== undefined) return span
  const short = abbreviate(text)
  const meant = parseSpan(short) === undefined ? '' : ` Write paylink-sandbox clock advance ${short}.`
  throw new UsageError(
    `clock advance cannot use ${text}.${meant} It must be a span like 90s, 1h30m, 2d or 1mo, or next-month.`,
  )
}

function parseSpan(text: string): Span | undefined {
  const parts = [...text.matchAll(/(\d{1,6})(mo|[dhms])/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined
  return Object.fromEntries(
    parts.map(([, number, unit]) => [UNITS[unit as keyof typeof UNITS], Number(number)]),
  )
}

/** `1 month 2 days` becomes `1mo2d`. */
const abbreviate = (text: string): string =>
  Object.entries(UNITS).reduce(
    (short, [unit, word]) => short.replaceAll(new RegExp(`(?<=\\d)${word}?(?![a-z])`, 'g'), unit),
    text.toLowerCase().replaceAll(/\s/g, ''),
  )

/** Requires a time zone in a time, because this machine and the service may use different ones. */
function readTime(command: string, text: string | undefined): Time | undefined {
  if (text === undefined || (/T.+(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)))) {
    return text as Time | undefined
  }
  throw new UsageError(
    `${command} cannot use ${text}. It must be a time with its zone, like 2026-12-31T12:00:00+01:00.`,
  )
}

/** The time, and what fell due because of a change. */
async function linesOf(result: ClockView | ClockChange, sandbox: Sandbox): Promise<readonly string[]> {
  const { now, mode, serverTime, zone } = result
  const time = `${serverTime} ${zone} (Europe/Berlin), ${formatDateTimeSeconds(now, true)}, ${mode}`
  if (!('issued' in result)) return [time]
  const { issued, attempts } = result
  const accounts = issued.length === 0 ? [] : await sandbox.accounts()
  return [
    time,
    ...issued.map((invoice) => invoiceLine(invoice, accounts)),
    ...(attempts.length === 0 ? [] : [`${plural(attempts.length, 'further webhook attempt')}`]),
  ]
}
