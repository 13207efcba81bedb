import type { ComponentChildren } from 'preact'
import { PRODUCT_NAME } from '../../server/contract/product-name.ts'
import { isNarrow, isRail } from '../browser/media.ts'
import { route } from '../browser/route.ts'
import { firstTab } from '../browser/screens.ts'
import { nextTheme, theme } from '../browser/theme.ts'
import { nextTimeZone, timeZone } from '../browser/time-zone.ts'
import { ConnectionChip } from './connection-chip.tsx'
import { FilterField } from './filter-field.tsx'
import { Icon } from '../components/icon.tsx'
import { MenuButton } from '../components/menu-button.tsx'
import { CommandsItem, LiveTools } from './live-tools.live.tsx'
import { openHelp } from './open-help.ts'

interface Props {
  /** The text below the name. */
  readonly note: ComponentChildren
}

export function TopBar({ note }: Props) {
  const { screen, tab } = route.value
  const isPaymentList = screen === 'payments' && tab === firstTab(screen)
  const isCompact = isNarrow.value || isRail.value
  return (
    <header class="top-bar">
      <div class="brand">
        <h1>{PRODUCT_NAME}</h1>
        <ConnectionChip />
        {note}
      </div>
      {(screen === 'timeline' || isPaymentList) && <FilterField />}
      <div class="tools">
        <LiveTools isPaymentList={isPaymentList} />
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
    <CommandsItem />
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
