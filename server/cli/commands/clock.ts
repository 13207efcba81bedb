import type { ClockChange, Span, Time } from '../../client/clock.ts'
import type { ClockView } from '../../contract/views.ts'
import { formatDateTimeSeconds, plural } from '../../format/values.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { readAction } from '../read-action.ts'
import { readArguments } from '../read-arguments.ts'

/** Shows the sandbox's clock, or moves it. Moving it resolves when everything that fell due has happened. */
export async function clock(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands: given } = readArguments('clock', args)
  const { action, operands } = readAction('clock', given, {
    show: [],
    advance: ['<by>'],
    set: ['<time>'],
    freeze: ['[time]'],
    resume: [],
    real: [],
  })
  const by = action === 'advance' ? readSpan(operands[0]!) : undefined
  const { clock: handle } = await connect(flags, io)
  const time = operands[0] as Time | undefined

  const moves = {
    show: () => handle.read(),
    advance: () => handle.advance(by!),
    set: () => handle.set(time!),
    freeze: () => handle.freeze(time),
    resume: () => handle.resume(),
    real: () => handle.useReal(),
  }
  const result = await moves[action]()
  print(io, flags.json, result, () => text(result))
  return 0
}

const UNITS = { mo: 'months', d: 'days', h: 'hours', m: 'minutes', s: 'seconds' } as const

/** `2d`, `1h30m`, `1mo` or `next-month`. */
function readSpan(span: string): Span | { readonly to: 'next-month' } {
  if (span === 'next-month') return { to: span }
  const parts = [...span.matchAll(/(\d{1,6})(mo|[dhms])/g)]
  if (parts.length > 0 && parts.map(([part]) => part).join('') === span) {
    return Object.fromEntries(
      parts.map(([, number, unit]) => [UNITS[unit as keyof typeof UNITS], Number(number)]),
    )
  }
  throw new UsageError(
    `clock advance cannot use ${span}. It must be a span like 90s, 1h30m, 2d or 1mo, or next-month.`,
  )
}

function text(result: ClockView | ClockChange): string {
  const shown = `${formatDateTimeSeconds(result.now, true)}, ${result.mode}`
  if (!('issued' in result)) return shown
  return [
    shown,
    ...(result.issued.length === 0 ? [] : [`${plural(result.issued.length, 'invoice')} issued`]),
    ...(result.attempts.length === 0 ? [] : [`${plural(result.attempts.length, 'further webhook attempt')}`]),
  ].join('\n')
}
