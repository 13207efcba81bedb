import { useRef } from 'preact/hooks'
import { request, withErrorToast } from '../data/api.ts'
import type { Span } from '../../server/domain/time/calendar.ts'
import { berlinTime } from '../../server/domain/time/berlin-time.ts'
import { formatDuration, plural } from '../../server/contract/format/values.ts'
import { clock, now } from '../data/clock.ts'
import { showToast } from '../browser/toasts.ts'
import { Icon } from '../components/icon.tsx'
import { placeBelow } from '../components/menu-button.tsx'
import { Time } from '../components/time.tsx'

/** The time of the sandbox's clock, with a menu to set it. */
export function ClockMenu() {
  const menu = useRef<HTMLDivElement>(null)
  const set = clock.value
  if (!set) return null
  const at = new Date(now.value).toISOString()
  const isFrozen = set.mode === 'frozen'
  const mark = isFrozen ? 'frozen' : set.isShifted ? 'shifted' : ''

  return (
    <>
      <button
        type="button"
        class={`clock ${mark === '' ? '' : 'highlighted'}`}
        popovertarget={MENU_ID}
        onClick={({ currentTarget }) => placeBelow(menu.current!, currentTarget)}
      >
        <Icon name={isFrozen ? 'pause' : 'clock'} />
        <span class="visually-hidden">Clock {mark} </span>
        <span class="wide">
          <Time at={at} style="ticking" />
        </span>
        <span class="narrow">
          <Time at={at} style="brief" />
        </span>
        {set.isShifted && (
          <span class="above-phone" aria-hidden="true">
            {formatShift(set.offsetMs)}
          </span>
        )}
      </button>
      <div ref={menu} id={MENU_ID} class="menu clock-menu" popover="auto">
        <p>
          <Time at={at} style="ticking" />
        </p>
        <p class="muted">{berlinTime(new Date(now.value))} in Berlin, the time zone of the sandbox</p>
        <p class="muted">{describeClock(isFrozen, set.isShifted, set.offsetMs)}</p>
        {clockActions(isFrozen).map((action) => (
          <button
            key={action.name}
            type="button"
            disabled={action.name === 'now' && !set.isShifted}
            onClick={() => void runClockAction(action)}
          >
            {action.label}
          </button>
        ))}
      </div>
    </>
  )
}

/** `+48 min`, `−2 h`, `+3 d` */
function formatShift(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  const text =
    minutes < 120
      ? `${minutes} min`
      : minutes < 2_880
        ? `${Math.round(minutes / 60)} h`
        : `${Math.round(minutes / 1_440)} d`
  return `${offsetMs < 0 ? '−' : '+'}${text}`
}

const MENU_ID = 'clock-menu'

const describeClock = (isFrozen: boolean, isShifted: boolean, offsetMs: number): string => {
  if (isFrozen) return 'Frozen until it is set or resumed.'
  if (!isShifted) return 'The time of this machine.'
  return `${formatDuration(Math.abs(offsetMs))} ${offsetMs < 0 ? 'behind' : 'ahead of'} this machine.`
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
