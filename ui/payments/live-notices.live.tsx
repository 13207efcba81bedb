import { lazy } from '../components/lazy.tsx'
import { bodyTexts } from '../search/body-matches.ts'

const BodySearchStatus = lazy(
  async () => (await import('../search/body-search-status.tsx')).BodySearchStatus,
  'empty',
)
const ReplayFailed = lazy(async () => (await import('./replay-failed.tsx')).ReplayFailed, 'empty')

interface Props {
  readonly query: string
  /** Whether the list shows only payments that the app has missed. */
  readonly isOfMissed: boolean
}

/** What a running sandbox has to say above the payments: how to replay failed webhooks, and a search on the server. */
export const LiveNotices = ({ query, isOfMissed }: Props) => (
  <>
    {isOfMissed && <ReplayFailed />}
    {bodyTexts(query).length > 0 && <BodySearchStatus />}
  </>
)
