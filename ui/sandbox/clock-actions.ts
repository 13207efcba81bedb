import { request, withErrorToast } from '../data/api.ts'
import type { ClockMode } from '../../server/domain/time/clock.ts'
import type { Span } from '../../server/domain/time/calendar.ts'
import { formatDuration, plural } from '../../server/contract/format/values.ts'
import { showToast } from '../browser/toasts.ts'

/** How far the sandbox's clock is from that of its machine. */
export function describeClock({ mode, isShifted, offsetMs }: ClockSetting): string {
  if (mode === 'frozen') return 'Frozen until it is set or resumed'
  if (!isShifted) return 'The time of this machine'
  return `${formatDuration(Math.abs(offsetMs))} ${offsetMs < 0 ? 'behind' : 'ahead of'} this machine`
}

interface ClockSetting {
  readonly mode: ClockMode
  readonly isShifted: boolean
  readonly offsetMs: number
}

interface ClockChange {
  readonly issued: readonly unknown[]
  readonly attempts: readonly unknown[]
}

interface ClockAction {
  readonly name: 'hour' | 'day' | 'month' | 'resume' | 'freeze' | 'now'
  readonly label: string
  /** The label of the button outside of the clock's menu. */
  readonly title: string
  readonly done: string
  /** Whether jobs that fall due on the way are done. */
  readonly advances?: true
  readonly change: () => Promise<ClockChange>
}

const advance = (json: Span | { readonly to: 'next-month' }) => () => request('POST /clock/advance', { json })

export function clockActions(isFrozen: boolean): readonly ClockAction[] {
  return [
    {
      name: 'hour',
      label: '+1 h',
      title: 'Advance by one hour',
      done: 'Advanced by one hour',
      advances: true,
      change: advance({ hours: 1 }),
    },
    {
      name: 'day',
      label: '+1 day',
      title: 'Advance by one day',
      done: 'Advanced by one day',
      advances: true,
      change: advance({ days: 1 }),
    },
    {
      name: 'month',
      label: 'Next month',
      title: 'Advance to the next month',
      done: 'Advanced to the next month',
      advances: true,
      change: advance({ to: 'next-month' }),
    },
    isFrozen
      ? {
          name: 'resume',
          label: 'Resume',
          title: 'Resume the clock',
          done: 'Clock resumed',
          change: () => request('PUT /clock', { json: { mode: 'running' } }),
        }
      : {
          name: 'freeze',
          label: 'Freeze',
          title: 'Freeze the clock',
          done: 'Clock frozen',
          change: () => request('PUT /clock', { json: { mode: 'frozen' } }),
        },
    {
      name: 'now',
      label: 'Now',
      title: 'Set the clock to the time of this machine',
      done: 'Clock set to the time of this machine',
      change: () => request('DELETE /clock'),
    },
  ]
}

export const runClockAction = ({ done, change }: ClockAction) =>
  withErrorToast(async () => {
    const { issued, attempts } = await change()
    const invoices = issued.length === 0 ? [] : [`${plural(issued.length, 'invoice')} issued`]
    const retries = attempts.length === 0 ? [] : [`${plural(attempts.length, 'webhook attempt')} made`]
    showToast({ tone: 'ok', text: [done, ...invoices, ...retries].join('. ') })
  })
