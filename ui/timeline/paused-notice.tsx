import { plural } from '../../server/contract/format/values.ts'
import { pausedAt, missedCount, togglePause } from '../search/view.ts'

/** Tells that the view is paused and how many events it does not show. */
export function PausedNotice() {
  if (pausedAt.value === undefined) return null
  return (
    <p class="notice" role="status">
      Paused. The sandbox keeps running: {plural(missedCount.value, 'new event')} not shown.
      <button type="button" class="small" onClick={togglePause}>
        Resume
      </button>
    </p>
  )
}
