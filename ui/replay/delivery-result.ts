import { effect } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'
import { currentEntry } from '../data/current-entry.ts'
import { isStored } from '../../server/domain/webhooks/delivery.ts'
import { formatTook } from '../../server/contract/format/values.ts'
import { log } from '../data/session.ts'
import { showToast, updateToast, type ToastContent } from '../browser/toasts.ts'
import { navigate, route } from '../browser/route.ts'

export type DeliveryResult = Extract<EventView, { type: 'delivery.attempted' | 'delivery.held' }>

/** The newest attempt of a delivery, or the event that holds it. `undefined` if neither exists after a `seq`. */
export function resultOf(deliveryId: number, after = 0): DeliveryResult | undefined {
  const last = log.journal.value.eventIndex.eventsOfDelivery(deliveryId).at(-1)
  if (!last || last.seq <= after) return undefined
  return last.type === 'delivery.attempted' || last.type === 'delivery.held' ? last : undefined
}

/** Runs a callback when a delivery has a result after a `seq`. Never runs it after a reset of the sandbox. */
export function whenDelivered(
  deliveryId: number,
  callback: (result: DeliveryResult) => unknown,
  after = 0,
): void {
  const { epochCount } = log.journal.peek()
  const stop = effect(() => {
    const isOver = log.journal.value.epochCount !== epochCount
    const result = resultOf(deliveryId, after)
    if (!isOver && !result) return
    queueMicrotask(() => {
      stop()
      if (!isOver && result) callback(result)
    })
  })
}

/** Shows a toast about a delivery that was sent. Replaces it with the result, which has a later `seq`. */
export function announceDelivery(deliveryId: number, text: string, after?: number): void {
  const toast = showToast({ tone: 'plain', text, action: showAction(deliveryId) })
  whenDelivered(deliveryId, (result) => updateToast(toast, resultToast(result)), after)
}

const showAction = (deliveryId: number) => ({ label: 'Show', run: () => showDelivery(deliveryId) })

export function resultToast(event: DeliveryResult): ToastContent {
  const { tone, lead } = currentEntry(event).row
  const name = `Delivery ${event.deliveryId}`
  const action = showAction(event.deliveryId)
  if (event.type === 'delivery.held') return { tone: 'warn', text: `${name} is held`, action }
  if (event.httpStatus === null) return { tone, text: `${name}: no answer. ${lead}`, action }
  if (isStored(event)) return { tone, text: `${name}: ${lead}`, action }
  const answer = `your app answered ${event.httpStatus} in ${formatTook(event.ms)}`
  return { tone, text: `${name}: ${answer}`, action }
}

let stopWaiting = (): void => {}

/**
 * Selects the newest event of a delivery. The answer to a replay may arrive before its event. In this case, selects the first
 * event that arrives, unless the user has opened something else.
 */
function showDelivery(id: number): void {
  stopWaiting()
  const routeBefore = route.peek()
  stopWaiting = effect(() => {
    const newest = log.journal.value.eventIndex.eventsOfDelivery(id).at(-1)
    if (!newest && route.value === routeBefore) return
    queueMicrotask(() => stopWaiting())
    if (!newest) return
    // Leaves out the search of another screen, because the timeline does not know its terms.
    const shownBy = route.peek().screen === 'timeline' ? {} : { query: '', range: undefined }
    navigate({ screen: 'timeline', id: newest.seq, other: undefined, ...shownBy })
  })
}
