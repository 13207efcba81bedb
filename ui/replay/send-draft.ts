import type { DeliveryView } from '../../server/contract/views.ts'
import { request, catchSandboxError, singleFieldError } from '../data/api.ts'
import { resultToast, whenDelivered } from './delivery-result.ts'
import { showToast } from '../browser/toasts.ts'
import { editedDelivery, setSent, type ReplayDraft } from './replay-state.ts'

/** Sends an edited webhook. Returns why this failed. If the editor is closed in the meantime, a toast shows the result. */
export async function sendDraft(
  { id, target, body }: DeliveryView,
  draft: ReplayDraft,
): Promise<string | undefined> {
  const ids: number[] = []
  const failure = await catchSandboxError(async () => {
    const json = {
      ...(draft.to === target ? {} : { to: draft.to }),
      ...(draft.body === body ? {} : { body: draft.body }),
      wait: 'accepted',
    } as const
    for (let round = 0; round < (draft.isTwice ? 2 : 1); round++) {
      ids.push((await request('POST /deliveries/:id/replay', { param: { id }, json })).id)
    }
  })
  if (!failure || ids.length > 0) setSent(id, ids)
  for (const sentId of ids) {
    whenDelivered(sentId, (result) => {
      if (editedDelivery.peek() !== id) showToast(resultToast(result))
    })
  }
  // The body may be any text, so the error can only be about the address.
  return failure && singleFieldError(failure)
}
