import { plural } from '../../server/format/values.ts'
import { pausedAt, missedCount, togglePause } from './view.ts'

/** Says that the list stands still although the sandbox goes on. */
export function PausedNotice() {
  if (pausedAt.value === undefined) return null
  return (
    <p class="notice" role="status">
      Paused here, while the sandbox goes on: {plural(missedCount.value, 'new event')} not shown.
      <button type="button" class="small" onClick={togglePause}>
        Resume
      </button>
    </p>
  )
}
