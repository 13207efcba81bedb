import { plural } from '../../server/contract/format/values.ts'
import { lazy } from '../components/lazy.tsx'
import { bodyTexts } from '../search/body-matches.ts'
import { pausedAt, missedCount, query, togglePause } from '../search/view.ts'

const OpenSteps = lazy(async () => (await import('../first-run/open-steps.tsx')).OpenSteps, 'empty')
const BodySearchStatus = lazy(
  async () => (await import('../search/body-search-status.tsx')).BodySearchStatus,
  'empty',
)

/**
 * The notices above the timeline of a running sandbox: that the view is paused, a search on the server, and the first steps.
 */
export const TimelineNotices = ({ isEmpty }: { readonly isEmpty: boolean }) => (
  <>
    <PausedNotice />
    {bodyTexts(query.value).length > 0 && <BodySearchStatus />}
    {!isEmpty && <OpenSteps />}
  </>
)

/** Says that the view is paused, and how many events it leaves out. */
function PausedNotice() {
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
