import { plural } from '../../server/contract/format/values.ts'
import { ReplayButton } from '../components/replay-button.live.tsx'
import { paymentList } from './payment-list.ts'

/** Sends the failed webhooks of all listed payments again. */
export function ReplayFailed() {
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
