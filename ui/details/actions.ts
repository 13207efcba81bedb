import { effect } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'
import { api, withErrorToast } from '../api.ts'
import { copy } from '../clipboard.ts'
import { parseHost } from '../../server/domain/network/allowed-host.ts'
import { curlCommand } from '../../server/domain/http/curl.ts'
import { formatRoute } from '../hash-route.ts'
import { log } from '../session.ts'
import { showToast } from '../toasts.ts'
import { openReplayDialog } from './replay-dialog-state.ts'
import { pin, isSelectedPinned } from './pin.ts'
import { selected, selectedEvent, selectedExchange } from './selected-event.ts'
import { showDelivery } from './show-delivery.ts'

/** Something that can be done about an event, as a button, a menu item or a key. */
export interface Action {
  readonly label: string
  readonly key?: string
  readonly isMain?: boolean
  /** Whether it makes something happen in the sandbox, rather than only reading. */
  readonly acts: boolean
  readonly run: () => unknown
}

/** What can be done about the selected event. Buttons, context menu and keys all show this. */
export function actionsFor(event: EventView): Action[] {
  const deliveryId = 'deliveryId' in event ? event.deliveryId : undefined
  const newest =
    deliveryId === undefined ? undefined : log.journal.value.eventIndex.eventsOfDelivery(deliveryId).at(-1)
  const isHeld = newest?.type === 'delivery.held'
  const host = isHeld ? (parseHost(newest.mappedTo ?? newest.target) ?? '') : ''

  return [
    ...(CAN_ACT && isHeld
      ? [
          { label: 'Release', isMain: true, acts: true, run: () => release(newest.deliveryId) },
          { label: `Release all to ${host}`, acts: true, run: async () => (await rules()).releaseAll(host) },
          { label: `Always allow ${host}`, acts: true, run: async () => (await rules()).allow(host) },
        ]
      : []),
    ...(!CAN_ACT || deliveryId === undefined
      ? []
      : [
          { label: 'Replay', key: 'r', isMain: !isHeld, acts: true, run: () => replay(deliveryId) },
          { label: 'Replay with changes…', key: 'e', acts: true, run: () => openReplayDialog(deliveryId) },
        ]),
    ...(selectedExchange.value ? [{ label: 'Copy as cURL', key: 'c', acts: false, run: copyAsCurl }] : []),
    ...pinAction(event.seq),
    { label: 'Copy link', key: 'l', acts: false, run: copyLink },
  ]
}

function pinAction(seq: number): Action[] {
  const pinned = isSelectedPinned.value
  if (!CAN_ACT || pinned === undefined) return []
  return [{ label: pinned ? 'Unpin' : 'Pin', acts: true, run: () => pin(seq, !pinned) }]
}

const rules = () => import('../maps/egress-rules.ts')

/** Does what a key stands for, where the selected event offers it. */
export function runActionByKey(key: string): void {
  const event = selectedEvent.peek()
  const action = event && actionsFor(event).find((offered) => offered.key === key)
  if (action) void action.run()
  else if (event && selected.peek().state === 'loading')
    whenLoaded(() => selectedEvent.peek() === event && runActionByKey(key))
}

/** A key may be quicker than the bytes that it is about. */
function whenLoaded(then: () => unknown): void {
  const stop = effect(() => {
    if (selected.value.state === 'loading') return
    queueMicrotask(() => {
      stop()
      then()
    })
  })
}

export const replay = (deliveryId: number): Promise<unknown> => withErrorToast(() => sendReplay(deliveryId))

/** Sends a webhook's bytes, or others, once more. What comes of it arrives by the stream. */
export async function sendReplay(
  deliveryId: number,
  changes: { readonly to?: string; readonly body?: string } = {},
): Promise<void> {
  const param = { id: String(deliveryId) }
  const answer = await api.deliveries[':id'].replay.$post({ param, json: { ...changes, wait: 'accepted' } })
  const { id } = await answer.json()
  const action = { label: 'Show', run: () => showDelivery(id) }
  showToast({ tone: 'plain', text: `Sending again, as delivery ${id}`, action })
}

export async function release(deliveryId: number): Promise<void> {
  await withErrorToast(async () => {
    const param = { id: String(deliveryId) }
    await api.deliveries[':id'].release.$post({ param, json: { wait: 'accepted' } })
    const action = { label: 'Show', run: () => showDelivery(deliveryId) }
    showToast({ tone: 'plain', text: `Delivery ${deliveryId} is on its way`, action })
  })
}

function copyAsCurl(): void {
  const exchange = selectedExchange.peek()
  if (exchange) void copy(curlCommand(exchange.request), 'cURL command')
}

function copyLink(): void {
  const id = selectedEvent.peek()?.seq
  const page = location.href.split('#')[0]!
  void copy(page + formatRoute({ screen: 'timeline', id }), 'Link')
}
