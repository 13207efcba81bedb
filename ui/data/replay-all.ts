import { signal } from '@preact/signals'
import { plural } from '../../server/contract/format/values.ts'
import { showToast } from '../browser/toasts.ts'
import { request, withErrorToast } from './api.ts'

/** The progress of `replayAll`. `undefined` if it does not run. */
export const replayProgress = signal<{ readonly sent: number; readonly total: number } | undefined>(undefined)

/** Replays webhooks, one after another. For use after the app was corrected. */
export const replayAll = (deliveryIds: readonly number[]): Promise<unknown> => {
  if (replayProgress.peek()) return Promise.resolve()
  return withErrorToast(async () => {
    let delivered = 0
    let stored = 0
    try {
      for (const [index, id] of deliveryIds.entries()) {
        replayProgress.value = { sent: index + 1, total: deliveryIds.length }
        const { state, storedIn } = await request('POST /deliveries/:id/replay', {
          param: { id: String(id) },
          json: { wait: 'settled' },
        })
        if (storedIn !== undefined) stored += 1
        else if (state === 'delivered') delivered += 1
      }
    } finally {
      replayProgress.value = undefined
    }
    const failed = deliveryIds.length - delivered - stored
    const results = [
      `${delivered} delivered`,
      ...(stored === 0 ? [] : [`${stored} stored in a tunnel`]),
      `${failed} failed`,
    ]
    showToast({
      tone: failed > 0 ? 'err' : stored > 0 ? 'plain' : 'ok',
      text: `${plural(deliveryIds.length, 'webhook')} replayed: ${results.join(', ')}`,
    })
  })
}
