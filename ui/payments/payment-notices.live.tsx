import { plural } from '../../server/contract/format/values.ts'
import { lazy } from '../components/lazy.tsx'
import { ReplayButton } from '../components/replay-button.live.tsx'
import { bodyTexts } from '../search/body-matches.ts'
import { paymentList } from './payment-list.ts'

const BodySearchStatus = lazy(
  async () => (await import('../search/body-search-status.tsx')).BodySearchStatus,
  'empty',
)

interface Props {
  readonly query: string
  /** Whether the list shows only payments that have not reached the app. */
  readonly isOfMissed: boolean
}

/** Notices above the payments of a running sandbox: how to replay failed webhooks, and a search on the server. */
export const PaymentNotices = ({ query, isOfMissed }: Props) => (
  <>
    {isOfMissed && <ReplayFailed />}
    {bodyTexts(query).length > 0 && <BodySearchStatus />}
  </>
)

/** Sends the failed webhooks of all listed payments again. */
function ReplayFailed() {
  const failed = paymentList.value.flatMap(({ webhooks }) =>
    webhooks.filter(({ state }) => state === 'failed' || state === 'retrying'),
  )
  if (failed.length === 0) return null
  return (
    <div class="replay-failed">
      <p>
        {plural(failed.length, 'webhook')} failed. If your app works again, replay{' '}
        {failed.length === 1 ? 'it' : 'them'}.
      </p>
      <ReplayButton deliveryIds={failed.map(({ deliveryId }) => deliveryId)} />
    </div>
  )
}
