import { plural } from '../../server/format/values.ts'
import { heldAt, heldCount, togglePause } from './view.ts'

/** Says that the list stands still although the sandbox goes on. */
export function HeldNotice() {
  if (heldAt.value === undefined) return null
  return (
    <p class="notice" role="status">
      Paused here, while the sandbox goes on: {plural(heldCount.value, 'new event')} not shown.
      <button type="button" class="small" onClick={togglePause}>
        Resume
      </button>
    </p>
  )
}
