import { useRef } from 'preact/hooks'
import { formatShortDuration } from '../../server/contract/format/values.ts'
import { isNarrow } from '../browser/media.ts'
import { clock, now } from '../data/clock.ts'
import { Icon } from '../components/icon.tsx'
import { lazy } from '../components/lazy.tsx'
import { placeBelow } from '../components/menu-button.tsx'
import { Time } from '../components/time.tsx'

const ClockMenuItems = lazy(async () => (await import('./clock-menu-items.tsx')).ClockMenuItems)

const MENU_ID = 'clock-menu'

/** The time of the sandbox's clock, with a menu to set it. */
export function ClockMenu() {
  const menu = useRef<HTMLDivElement>(null)
  const set = clock.value
  // A narrow bar has no room beside the longer text of a connection that begins.
  if (!set && isNarrow.value) return null
  const at = new Date(now.value).toISOString()
  const isFrozen = set?.mode === 'frozen'
  const mark = isFrozen ? 'frozen' : set?.isShifted ? 'shifted' : ''

  return (
    <>
      <button
        type="button"
        class={`clock ${mark === '' ? '' : 'highlighted'}`}
        popovertarget={MENU_ID}
        // Its place is kept until the clock is loaded.
        style={{ visibility: set ? '' : 'hidden' }}
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
        {set?.isShifted && (
          <span class="above-phone" aria-hidden="true">
            {set.offsetMs < 0 ? '−' : '+'}
            {formatShortDuration(Math.abs(set.offsetMs))}
          </span>
        )}
      </button>
      <div ref={menu} id={MENU_ID} class="menu clock-menu" popover="auto">
        <ClockMenuItems />
      </div>
    </>
  )
}
