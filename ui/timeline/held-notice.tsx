import { formatCount } from '../format.ts'
import { heldAt, heldCount, togglePause } from './view.ts'

/** Says that the list stands still although the sandbox goes on. */
export function HeldNotice() {
  if (heldAt.value === undefined) return null
  return (
    <p class="notice" role="status">
      The view is held, the sandbox goes on: {formatCount(heldCount.value)} held.
      <button type="button" class="small" onClick={togglePause}>
        Resume
      </button>
    </p>
  )
}
