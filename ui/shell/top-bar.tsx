import { formatCount } from '../../server/format/values.ts'
import { NewLinkButton } from '../payments/new-link-button.tsx'
import { route } from '../route.ts'
import { nextTheme, theme } from '../theme.ts'
import { nextTimeZone, timeZone } from '../time-zone.ts'
import { pausedAt, missedCount, togglePause } from '../timeline/view.ts'
import { ClockMenu } from './clock-menu.tsx'
import { ConnectionChip } from './connection-chip.tsx'
import { FilterField } from './filter-field.tsx'
import { openHelp } from './open-help.ts'

const THEME_SYMBOLS = { auto: '◐', light: '☀', dark: '☾' } as const

export function TopBar() {
  const { screen } = route.value
  return (
    <header class="top-bar">
      <h1>Inspector</h1>
      <ConnectionChip />
      {(screen === 'timeline' || screen === 'payments') && <FilterField />}
      <div class="tools">
        {CAN_ACT && screen === 'timeline' && <PauseButton />}
        {CAN_ACT && screen === 'payments' && <NewLinkButton />}
        {CAN_ACT && <ClockMenu />}
        <button
          type="button"
          class="wide"
          aria-label={`Time zone: ${timeZone.value}`}
          title={`Time zone: ${timeZone.value}`}
          onClick={nextTimeZone}
        >
          {timeZone.value === 'UTC' ? 'UTC' : 'Local'}
        </button>
        <button
          type="button"
          aria-label={`Theme: ${theme.value}`}
          title={`Theme: ${theme.value}`}
          onClick={nextTheme}
        >
          <span aria-hidden="true">{THEME_SYMBOLS[theme.value]}</span>
        </button>
        <button type="button" aria-label="Help" aria-keyshortcuts="?" onClick={openHelp}>
          <span aria-hidden="true">?</span>
        </button>
      </div>
    </header>
  )
}

/** Pauses the view. The sandbox keeps running. */
function PauseButton() {
  const isPaused = pausedAt.value !== undefined
  return (
    <button type="button" class={isPaused ? 'highlighted' : ''} aria-keyshortcuts="p" onClick={togglePause}>
      {isPaused ? 'Resume' : 'Pause'}
      {missedCount.value > 0 && <span> · {formatCount(missedCount.value)} new</span>}
      <kbd aria-hidden="true">p</kbd>
    </button>
  )
}
