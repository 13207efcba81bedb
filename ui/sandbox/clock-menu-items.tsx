import { berlinTime } from '../../server/domain/time/berlin-time.ts'
import { clock, now } from '../data/clock.ts'
import { Time } from '../components/time.tsx'
import { clockActions, describeClock, runClockAction } from './clock-actions.ts'

/** What the menu of the clock contains. */
export function ClockMenuItems() {
  const set = clock.value
  if (!set) return null
  return (
    <>
      <p>
        <Time at={new Date(now.value).toISOString()} style="ticking" />
      </p>
      <p class="muted">{berlinTime(new Date(now.value))} in Berlin, the time zone of the sandbox</p>
      <p class="muted">{describeClock(set)}</p>
      {clockActions(set.mode === 'frozen').map((action) => (
        <button
          key={action.name}
          type="button"
          disabled={action.name === 'now' && !set.isShifted}
          onClick={() => void runClockAction(action)}
        >
          {action.label}
        </button>
      ))}
    </>
  )
}
