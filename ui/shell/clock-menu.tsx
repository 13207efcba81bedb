import { useRef } from 'preact/hooks'
import { api, withErrorToast } from '../api.ts'
import { berlinTime } from '../../server/domain/time/time.ts'
import { formatDuration, plural } from '../../server/format/values.ts'
import { clock, now } from '../clock.ts'
import { showToast } from '../toasts.ts'
import { Time } from './time.tsx'

/** The sandbox's time, and what can be done about it. */
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
        class={`clock ${mark === '' ? '' : 'held'}`}
        popovertarget={MENU_ID}
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect()
          menu.current!.style.setProperty('--x', `${left}px`)
          menu.current!.style.setProperty('--y', `${bottom + 4}px`)
        }}
      >
        <span class="heard">Clock {mark} </span>
        <span class="wide">
          <Time at={at} style="ticking" /> <span aria-hidden="true">{mark}</span>
        </span>
        <span class="narrow">
          <span aria-hidden="true">{isFrozen ? '‖' : mark && '±'}</span> <Time at={at} style="brief" />
        </span>
      </button>
      <div ref={menu} id={MENU_ID} class="menu clock-menu" popover="auto">
        <p>
          <Time at={at} style="ticking" />
        </p>
        <p class="muted">{berlinTime(new Date(now.value))} in Berlin, by which the service counts</p>
        <p class="muted">{describeClock(isFrozen, set.isShifted, set.offsetMs)}</p>
        {clockActions(isFrozen).map(([label, done, deed]) => (
          <button
            key={label}
            type="button"
            disabled={label === NOW && !set.isShifted}
            onClick={() => void runAction(done, deed)}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  )
}

const MENU_ID = 'clock-menu'
const NOW = 'Now'

const describeClock = (isFrozen: boolean, isShifted: boolean, offsetMs: number): string => {
  if (isFrozen) return 'Frozen. It stands still until it is moved or resumed.'
  if (!isShifted) return 'The time of the machine.'
  return `${formatDuration(Math.abs(offsetMs))} ${offsetMs < 0 ? 'behind' : 'ahead of'} the machine.`
}

interface Changed {
  json(): Promise<{ readonly issued: readonly unknown[]; readonly attempts: readonly unknown[] }>
}

type ClockAction = readonly [label: string, done: string, deed: () => Promise<Changed>]

const advance = (json: Parameters<typeof api.clock.advance.$post>[0]['json']) => () =>
  api.clock.advance.$post({ json })

function clockActions(isFrozen: boolean): readonly ClockAction[] {
  return [
    ['+1 h', 'One hour has passed', advance({ hours: 1 })],
    ['+1 day', 'One day has passed', advance({ days: 1 })],
    ['Next month', 'The next month has begun', advance({ to: 'next-month' })],
    isFrozen
      ? ['Resume', 'The clock runs again', () => api.clock.$put({ json: { mode: 'running' } })]
      : ['Freeze', 'The clock stands still', () => api.clock.$put({ json: { mode: 'frozen' } })],
    [NOW, 'Back to the time of the machine', () => api.clock.$delete()],
  ]
}

const runAction = (done: string, deed: ClockAction[2]) =>
  withErrorToast(async () => {
    const { issued, attempts } = await (await deed()).json()
    const invoices = issued.length === 0 ? [] : [`${plural(issued.length, 'invoice')} issued`]
    const retries = attempts.length === 0 ? [] : [`${plural(attempts.length, 'further attempt')} made`]
    showToast({ tone: 'ok', text: [done, ...invoices, ...retries].join('. ') })
  })
