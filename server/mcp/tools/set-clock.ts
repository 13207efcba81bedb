import { z } from 'zod'
import type { ClockChange, ClockTime } from '../../client/clock.ts'
import { AdvanceClockBody } from '../../contract/schemas/clock.ts'
import { isoDateTime } from '../../contract/schemas/request-fields.ts'
import type { ClockView } from '../../contract/views.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { plural } from '../../contract/format/values.ts'
import { ToolError } from '../explain-failure.ts'
import { createAction } from '../tool.ts'

const { to, ...span } = AdvanceClockBody.shape

export const setClockAction = createAction({
  description:
    'Moves the clock of the sandbox. Before it answers, it does what falls due: it sends webhooks again, and issues tax invoices. advance takes `to`, or an amount such as `minutes`.',
  input: z.strictObject({
    move: z.enum(['advance', 'set', 'freeze', 'resume', 'real']).meta({
      description:
        'advance moves the clock forward, set sets it to time, freeze stops it, resume lets it run again, real follows the machine again.',
    }),
    ...span,
    to,
    time: isoDateTime.optional().meta({ description: 'For set, and optional for freeze.' }),
  }),
  effect: { kind: 'changes', reachesApp: true },
  async run({ move, time, to: until, ...amounts }, { sandbox, inspector }) {
    const by = omitUndefined(amounts)
    const hasAmount = Object.keys(by).length > 0
    if ((move === 'advance') !== (hasAmount || until !== undefined) || (hasAmount && until !== undefined)) {
      throw new ToolError(
        'For advance, pass either to, or one or more of months, days, hours, minutes and seconds. The other moves accept none of these.',
      )
    }
    if (time === undefined ? move === 'set' : move !== 'set' && move !== 'freeze') {
      throw new ToolError(
        'For set, pass time. For freeze, time is optional. The other moves do not accept it.',
      )
    }
    const { clock } = sandbox
    const moves = {
      advance: () => clock.advance(until === undefined ? by : { to: until as ClockTime }),
      set: () => clock.set(time as ClockTime),
      freeze: () => clock.freeze(time as ClockTime | undefined),
      resume: () => clock.resume(),
      real: () => clock.useReal(),
    }
    return { lines: clockLines(await moves[move]()), inspector: inspector.screen('sandbox') }
  },
})

const clockLines = ({ now, mode, issued, attempts }: ClockChange & ClockView): string[] => [
  `Clock: ${now}, ${mode}`,
  ...(attempts.length === 0
    ? []
    : [
        `${plural(attempts.length, 'webhook')} tried again: ${attempts
          .slice(0, 10)
          .map(({ deliveryId, state }) => `webhook ${deliveryId} is ${state}`)
          .join(', ')}`,
      ]),
  ...(issued.length === 0 ? [] : [`${plural(issued.length, 'tax invoice')} issued`]),
]
