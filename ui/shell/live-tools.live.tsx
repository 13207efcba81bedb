import { formatCount } from '../../server/contract/format/values.ts'
import { isMac, isNarrow } from '../browser/media.ts'
import { route } from '../browser/route.ts'
import { Icon } from '../components/icon.tsx'
import { openNewLink } from '../new-link/dialog-state.ts'
import { ClockMenu } from '../sandbox/clock-menu.tsx'
import { missedCount, pausedAt, togglePause } from '../search/view.ts'
import { openPalette } from './palette-state.ts'

/** The tools of the top bar that act on the sandbox or pause the view. */
export const LiveTools = ({ isPaymentList }: { readonly isPaymentList: boolean }) => (
  <>
    {route.value.screen === 'timeline' && <PauseButton />}
    {isPaymentList && <NewLinkButton />}
    {!isNarrow.value && (
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
    <ClockMenu />
  </>
)

/** Opens the commands from the menu of a narrow screen. */
export const CommandsItem = () => (
  <button type="button" onClick={openPalette}>
    Commands
  </button>
)

const NewLinkButton = () => (
  <button type="button" class="primary" aria-keyshortcuts="n" aria-haspopup="dialog" onClick={openNewLink}>
    <Icon name="add" />
    <span class="icon-on-phone">New link</span>
    <kbd aria-hidden="true">n</kbd>
  </button>
)

/** Pauses the view, but not the sandbox. */
function PauseButton() {
  const isPaused = pausedAt.value !== undefined
  const name = isPaused ? 'Resume' : 'Pause'
  return (
    <button type="button" class={isPaused ? 'highlighted' : ''} aria-keyshortcuts="p" onClick={togglePause}>
      <Icon name={isPaused ? 'right' : 'pause'} />
      <span class="above-phone">{name}</span>
      {missedCount.value > 0 && (
        <span>
          {formatCount(missedCount.value)}
          <span class="above-phone"> new</span>
        </span>
      )}
      <kbd aria-hidden="true">p</kbd>
    </button>
  )
}
