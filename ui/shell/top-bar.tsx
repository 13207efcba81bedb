import { formatCount } from '../../server/contract/format/values.ts'
import { PRODUCT_NAME } from '../../server/contract/product-name.ts'
import { isMac, isNarrow, isRail } from '../browser/media.ts'
import { NewLinkButton } from '../payments/new-link-button.tsx'
import { route } from '../browser/route.ts'
import { firstTab } from '../browser/screens.ts'
import { nextTheme, theme } from '../browser/theme.ts'
import { nextTimeZone, timeZone } from '../browser/time-zone.ts'
import { pausedAt, missedCount, togglePause } from '../search/view.ts'
import { ClockMenu } from '../sandbox/clock-menu.tsx'
import { ConnectionChip } from './connection-chip.tsx'
import { FilterField } from './filter-field.tsx'
import { Icon } from '../components/icon.tsx'
import { MenuButton } from '../components/menu-button.tsx'
import { openHelp } from './open-help.ts'
import { openPalette } from './palette-state.ts'

export function TopBar() {
  const { screen, tab } = route.value
  const isPaymentList = screen === 'payments' && tab === firstTab(screen)
  const isCompact = isNarrow.value || isRail.value
  return (
    <header class="top-bar">
      <div class="brand">
        <h1>{PRODUCT_NAME}</h1>
        <ConnectionChip />
      </div>
      {(screen === 'timeline' || isPaymentList) && <FilterField />}
      <div class="tools">
        {CAN_ACT && screen === 'timeline' && <PauseButton />}
        {CAN_ACT && isPaymentList && <NewLinkButton />}
        {CAN_ACT && !isNarrow.value && (
          <button
            type="button"
            class="commands"
            aria-keyshortcuts="Control+K"
            aria-haspopup="dialog"
            onClick={openPalette}
          >
            <Icon name="commands" />
            <span class="above-rail">Commands</span>
            <kbd aria-hidden="true">{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
          </button>
        )}
        {CAN_ACT && <ClockMenu />}
        {isCompact ? <MoreTools /> : <Tools />}
      </div>
    </header>
  )
}

const zoneLabel = () => `Time zone: ${timeZone.value}`
const zoneName = () => (timeZone.value === 'UTC' ? 'UTC' : 'Local')
const themeLabel = () => `Theme: ${theme.value}`

const Tools = () => (
  <>
    <button type="button" aria-label={zoneLabel()} title={zoneLabel()} onClick={nextTimeZone}>
      {zoneName()}
    </button>
    <button type="button" aria-label={themeLabel()} title={themeLabel()} onClick={nextTheme}>
      <Icon name="theme" />
    </button>
    <button type="button" aria-label="Help" title="Help" aria-keyshortcuts="?" onClick={openHelp}>
      <Icon name="help" />
    </button>
  </>
)

const MoreTools = () => (
  <MenuButton label="Options" button={<Icon name="more" />}>
    {CAN_ACT && (
      <button type="button" onClick={openPalette}>
        Commands
      </button>
    )}
    <button type="button" onClick={nextTimeZone}>
      {zoneLabel()}
    </button>
    <button type="button" onClick={nextTheme}>
      {themeLabel()}
    </button>
    <button type="button" onClick={openHelp}>
      Help
    </button>
  </MenuButton>
)

/** Pauses the view. The sandbox keeps running. */
function PauseButton() {
  const isPaused = pausedAt.value !== undefined
  const name = isPaused ? 'Resume' : 'Pause'
  return (
    <button type="button" class={isPaused ? 'highlighted' : ''} aria-keyshortcuts="p" onClick={togglePause}>
      <Icon name={isPaused ? 'right' : 'pause'} />
      <span class="above-phone">{name}</span>
      {missedCount.value > 0 && <span>{formatCount(missedCount.value)} new</span>}
      <kbd aria-hidden="true">p</kbd>
    </button>
  )
}
