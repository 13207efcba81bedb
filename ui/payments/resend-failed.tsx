import { useSignal } from '@preact/signals'
import { plural } from '../../server/contract/format/values.ts'
import { request, withErrorToast } from '../data/api.ts'
import { showToast } from '../browser/toasts.ts'
import { paymentList } from './payment-list.ts'

interface Progress {
  readonly sent: number
  readonly total: number
}

/** Sends the failed webhooks of all listed payments again, one after another. For when the app works again. */
export function ResendFailed() {
  const progress = useSignal<Progress | undefined>(undefined)
  const failed = paymentList.value.flatMap(({ webhooks }) =>
    webhooks.filter(({ state }) => state === 'failed'),
  )
  const { sent, total } = progress.value ?? { sent: 0, total: failed.length }
  if (total === 0) return null

  const sendAll = async () => {
    let delivered = 0
    let stored = 0
    try {
      for (const [index, { deliveryId }] of failed.entries()) {
        progress.value = { sent: index + 1, total: failed.length }
        const param = { id: String(deliveryId) }
        const { state, storedIn } = await request('POST /deliveries/:id/replay', {
          param,
          json: { wait: 'settled' },
        })
        if (storedIn !== undefined) stored += 1
        else if (state === 'delivered') delivered += 1
      }
    } finally {
      progress.value = undefined
    }
    const failedAgain = failed.length - delivered - stored
    const results = [
      `${delivered} delivered`,
      ...(stored === 0 ? [] : [`${stored} stored in a tunnel`]),
      `${failedAgain} failed`,
    ]
    showToast({
      tone: failedAgain === 0 ? (stored === 0 ? 'ok' : 'plain') : 'err',
      text: `${plural(failed.length, 'webhook')} sent again: ${results.join(', ')}`,
    })
  }
  return (
    <div class="resend-failed">
      <p>
        {plural(total, 'webhook')} failed. If your app works again, send {total === 1 ? 'it' : 'them'} again.
      </p>
      <button
        type="button"
        class="primary"
        disabled={progress.value !== undefined}
        onClick={() => withErrorToast(sendAll)}
      >
        {progress.value
          ? `Sending ${sent} of ${total}…`
          : total === 1
            ? 'Send it again'
            : `Send all ${total} again`}
      </button>
    </div>
  )
}
