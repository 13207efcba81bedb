import type { ClockChange, Span, ClockTime } from '../../client/clock.ts'
import type { Sandbox } from '../../client/connect-sandbox.ts'
import type { ClockView } from '../../contract/views.ts'
import { formatDateTimeSeconds, plural } from '../../contract/format/values.ts'
import { findClosestMatch } from '../../domain/text/closest-match.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { command } from '../command.ts'
import { connectionFlags } from '../shared-flags.ts'
import { connect } from '../connect.ts'
import { invoiceLine } from '../invoice-text.ts'
import { print } from '../io.ts'

export const clock = command({
  text: 'show or change the time of the sandbox, for example to get the next invoices',
  actions: {
    show: { operands: [], text: 'show the time; the default' },
    advance: {
      operands: ['<span>…'],
      text: 'go forward, by a span like 90s, 1h30m, 2d or 1mo, or to next-month',
    },
    set: { operands: ['<time>'], text: 'set the time' },
    freeze: { operands: ['[time]'], text: 'stop the clock now, or at another time' },
    resume: { operands: [], text: 'make the clock run again' },
    real: { operands: [], text: 'follow the time of the machine again' },
  },
  flags: { ...connectionFlags },
  ifNegative:
    'clock advance only goes forward. To go back, set an earlier time, which undoes nothing: npx paylink-sandbox clock set <time>.',
  examples: ['clock', 'clock advance 2d', 'clock advance next-month', 'clock set 2026-12-31T12:00:00+01:00'],
  async run({ flags, action, operands }, io) {
    const by = action === 'advance' ? readSpan(operands) : undefined
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
  },
})

const UNITS = { mo: 'months', d: 'days', h: 'hours', m: 'minutes', s: 'seconds' } as const

/** `2d`, `1h30m`, `1mo` or `next-month`. */
function readSpan(words: readonly string[]): Span | { readonly to: 'next-month' } {
  const text = words.join(' ')
  if (text === 'next-month') return { to: text }
  const span = parseSpan(words.join(''))
  if (span !== undefined) return span
  const short = abbreviate(text)
  const suggestion = parseSpan(short) === undefined ? findClosestMatch(text, ['next-month']) : short
  const advice = suggestion === undefined ? '' : ` Write npx paylink-sandbox clock advance ${suggestion}.`
  throw new UsageError(
    `clock advance cannot advance the time by ${text}.${advice} It must be a span like 90s, 1h30m, 2d or 1mo, or next-month.`,
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

/** Rejects a time without a time zone, because this machine and the service may be in different ones. */
function readTime(line: string, text: string | undefined): ClockTime | undefined {
  if (text === undefined || (/T.+(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)))) {
    return text as ClockTime | undefined
  }
  throw new UsageError(
    `${line} cannot set the time to ${text}. It must be a time with a time zone, like 2026-12-31T12:00:00+01:00.`,
  )
}

/** The time, and what changing the clock has caused. */
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
