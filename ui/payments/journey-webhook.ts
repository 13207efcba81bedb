import { parseRoute } from '../browser/hash-route.ts'
import { route } from '../browser/route.ts'
import { showToast } from '../browser/toasts.ts'
import { indexOf } from '../data/log.ts'
import { log } from '../data/session.ts'
import { editAndReplay, replay } from '../details/actions.ts'

/** Replays the webhook that is selected in the journey. */
export const replaySelected = (): unknown => withSelected(replay)

/** Opens the editor of the webhook that is selected in the journey. */
export const editSelected = (): unknown => withSelected(editAndReplay)

/** Calls a function with the webhook that has the focus, or with the only webhook of the payment. */
function withSelected(run: (deliveryId: number) => unknown): unknown {
  const { entries, eventIndex } = log.journal.peek()
  const focused = document.activeElement?.closest('.journey-section a')?.getAttribute('href')
  const event = entries[indexOf(entries, parseRoute(focused ?? '').id)]?.event
  if (event) return 'deliveryId' in event ? run(event.deliveryId) : undefined
  const { id } = route.peek()
  const webhooks = id === undefined ? [] : eventIndex.webhooksOfPayment(id)
  if (webhooks.length < 2) return webhooks[0] && run(webhooks[0].deliveryId)
  const text = `This payment has ${webhooks.length} webhooks. Move the focus to one of them in the journey first.`
  return showToast({ tone: 'plain', text })
}
