import { useScrollTarget } from '../components/use-scroll-target.ts'
import { useSignal } from '@preact/signals'
import { berlinTime } from '../../server/domain/time/berlin-time.ts'
import { request, catchSandboxError } from '../data/api.ts'
import { clock, now } from '../data/clock.ts'
import { clockActions, describeClock, runClockAction } from './clock-actions.ts'
import { DialogButton } from '../components/dialog-button.tsx'
import { DialogForm } from '../components/dialog-form.tsx'
import { Time } from '../components/time.tsx'
import { timeZone } from '../browser/time-zone.ts'
import { fromFieldValue, toFieldValue } from '../browser/time-text.ts'
import { dayNames } from '../data/day-names.ts'
import { useError } from '../data/use-error.ts'

/** The sandbox's clock in large letters, with everything that moves it. */
export function ClockSection() {
  const heading = useScrollTarget<HTMLHeadingElement>('clock')
  const set = clock.value
  if (!set) return null
  const at = new Date(now.value).toISOString()
  const isFrozen = set.mode === 'frozen'
  const actions = clockActions(isFrozen)
  const back = actions.find(({ name }) => name === 'now')

  return (
    <section aria-labelledby="clock">
      <h2 ref={heading} id="clock" tabIndex={-1}>
        Clock
      </h2>
      <p class="clock-figure">
        <b>
          <Time at={at} style="seconds" />
        </b>{' '}
        <span class="muted">{dayNames.value.date(at)}</span>
      </p>
      <p>
        <span class={set.isShifted ? 'warn' : 'muted'}>{describeClock(set)}</span>
        {set.isShifted && back && (
          <>
            {' · '}
            <button type="button" class="link" onClick={() => void runClockAction(back)}>
              Use real time
            </button>
          </>
        )}
      </p>
      <div class="actions">
        {actions
          .filter(({ name }) => name !== 'now')
          .map((action) => (
            <button key={action.name} type="button" onClick={() => void runClockAction(action)}>
              {action.label}
            </button>
          ))}
        <DialogButton title="Set the clock" label="Set…">
          {(close) => <SetClock onDone={close} />}
        </DialogButton>
      </div>
      <p class="muted">{berlinTime(new Date(now.value))} in Berlin, the time zone of the sandbox.</p>
    </section>
  )
}

function SetClock({ onDone }: { readonly onDone: () => void }) {
  const value = useSignal(toFieldValue(new Date(now.peek()).toISOString()))
  const isFrozen = useSignal(clock.peek()?.mode === 'frozen')
  const error = useError()
  const set = async () => {
    const json = {
      now: fromFieldValue(value.value).toISOString(),
      mode: isFrozen.value ? ('frozen' as const) : ('running' as const),
    }
    const failure = await catchSandboxError(() => request('PUT /clock', { json }))
    error.value = failure?.detail
    if (!failure) onDone()
  }

  return (
    <DialogForm verb="Set the clock" onSubmit={set} onCancel={onDone} error={error.value}>
      <label class="field">
        <span class="label">Date and time</span>
        <input
          type="datetime-local"
          step={1}
          required
          value={value.value}
          onInput={({ currentTarget }) => (value.value = currentTarget.value)}
        />
        <span class="muted">
          Enter the time in {timeZone.value === 'UTC' ? 'UTC' : 'the time zone of this browser'}. Everything
          that falls due by then runs at once.
        </span>
      </label>
      <label class="option">
        <input
          type="checkbox"
          checked={isFrozen.value}
          onChange={({ currentTarget }) => (isFrozen.value = currentTarget.checked)}
        />
        Freeze the clock there
      </label>
    </DialogForm>
  )
}
