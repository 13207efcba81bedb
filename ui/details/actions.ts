import type { ShownEvent } from '../../server/control/present.ts'
import { api, attempt } from '../api.ts'
import { copy } from '../clipboard.ts'
import { curlCommand } from '../curl.ts'
import { formatRoute } from '../hash-route.ts'
import { showToast } from '../toasts.ts'
import { selectedEvent, selectedExchange } from './selected.ts'

/** The delivery that can be sent again from an event. */
export const replayable = (event: ShownEvent | undefined): number | undefined =>
  event && 'deliveryId' in event ? event.deliveryId : undefined

export async function replay(): Promise<void> {
  const deliveryId = replayable(selectedEvent.peek())
  if (deliveryId === undefined) return
  await attempt(async () => {
    const param = { id: String(deliveryId) }
    const answer = await api.deliveries[':id'].replay.$post({ param, json: { wait: 'accepted' } })
    const { id } = await answer.json()
    showToast({ tone: 'ok', text: `Sent again as delivery ${id}` })
  })
}

export async function release(deliveryId: number): Promise<void> {
  await attempt(async () => {
    const param = { id: String(deliveryId) }
    await api.deliveries[':id'].release.$post({ param, json: { wait: 'accepted' } })
    showToast({ tone: 'ok', text: `Delivery ${deliveryId} released` })
  })
}

export function copyAsCurl(): void {
  const exchange = selectedExchange.peek()
  if (exchange) void copy(curlCommand(exchange.request), 'cURL command')
}

export function copyLink(): void {
  const id = selectedEvent.peek()?.seq
  const page = location.href.split('#')[0]!
  void copy(page + formatRoute({ screen: 'timeline', id }), 'Link')
}
