import { formatCount } from '../../server/contract/format/values.ts'
import { replayAll, replayProgress } from '../data/replay-all.ts'

/** Replays failed webhooks, and shows the progress. */
export function ReplayButton({ deliveryIds }: { readonly deliveryIds: readonly number[] }) {
  const progress = replayProgress.value
  return (
    <button
      type="button"
      class="primary"
      disabled={progress !== undefined}
      onClick={() => void replayAll(deliveryIds)}
    >
      {progress
        ? `Replaying ${progress.sent} of ${progress.total}…`
        : deliveryIds.length === 1
          ? 'Replay the webhook'
          : `Replay all ${formatCount(deliveryIds.length)}`}
    </button>
  )
}
