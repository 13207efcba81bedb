import { effect } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'
import { request, withErrorToast } from '../data/api.ts'
import { copy } from '../browser/clipboard.ts'
import { curlCommand } from '../../server/domain/http/curl.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { openReplayEditor } from '../replay/replay-state.ts'
import { navigate } from '../browser/route.ts'
import type { TestFormat } from '../../server/contract/test-format.ts'
import { counterpartOf } from '../compare/candidates.ts'
import type { HeldEvent } from '../data/event-index.ts'
import { log } from '../data/session.ts'
import { heldHost, mapHeldHost } from './map-target.ts'
import { announceDelivery } from '../replay/delivery-result.ts'
import { loadedEvent, selectedEvent, selectedExchange } from './selected-event.ts'

/** An action on an event, offered as a button, a menu item and a key. */
export interface Action {
  readonly label: string
  readonly key?: string
  /** The action that fits the event best. */
  readonly isMain?: boolean
  /** Whether a button for this action is shown beside that of the main action. */
  readonly isSecond?: boolean
  readonly run: () => unknown
}

/** The actions on the selected event. Buttons, menus and keys all use this list. */
export function actionsFor(event: EventView): Action[] {
  const copies = [
    ...(selectedExchange.value ? [{ label: 'Copy as cURL', key: 'c', run: copyAsCurl }] : []),
    { label: 'Copy link', key: 'l', run: copyLink },
  ]
  if (!CAN_ACT) return copies

  const deliveryId = 'deliveryId' in event ? event.deliveryId : undefined
  const newest =
    deliveryId === undefined ? undefined : log.journal.value.eventIndex.eventsOfDelivery(deliveryId).at(-1)
  const held = newest?.type === 'delivery.held' ? newest : undefined
  return [
    ...(held ? [{ label: 'Map this host', key: 'm', isMain: true, run: () => mapHeldHost(held) }] : []),
    ...(deliveryId === undefined
      ? []
      : [
          ...(held ? [] : [{ label: 'Replay', key: 'r', isMain: true, run: () => replay(deliveryId) }]),
          {
            label: 'Edit and replay',
            key: 'e',
            isSecond: !held,
            run: () => openReplayEditor(event.seq, deliveryId),
          },
        ]),
    ...compareAction(event),
    ...copies,
    ...testActions(event),
    ...(held ? allowActions(held) : []),
  ]
}

/** Compares an attempt or a call with the event that probably tells most about it. */
function compareAction(event: EventView): Action[] {
  const counterpart = counterpartOf(event)
  if (!counterpart) return []
  const run = () => navigate({ screen: 'timeline', id: event.seq, other: counterpart.event.seq })
  return [{ label: `Compare with ${counterpart.name}`, key: 'd', run }]
}

function allowActions(held: HeldEvent): Action[] {
  const host = heldHost(held)
  return [
    { label: `Allow to ${host} once`, run: () => allowOnce(held.deliveryId) },
    { label: `Allow all to ${host} once`, run: async () => (await egressRules()).allowAll(host) },
    { label: `Always allow ${host}`, run: async () => (await egressRules()).allowHost(host) },
  ]
}

/** A call, or an event of a payment, as a test. */
function testActions({ seq, type, linkId }: EventView): Action[] {
  if (linkId === null && type !== 'api.request' && type !== 'api.limited') return []
  const download = async (format: TestFormat) =>
    (await import('../data/download-test.ts')).downloadEventTest(seq, format)
  return [
    { label: 'Download as test', run: () => download('vitest') },
    { label: 'Download as shell script', run: () => download('shell') },
  ]
}

const egressRules = () => import('../data/egress-rules.ts')

/** Runs the action of a key, if the selected event has it. */
export function runActionByKey(key: string): void {
  const event = selectedEvent.peek()
  const action = event && actionsFor(event).find((offered) => offered.key === key)
  if (action) void action.run()
  else if (event && loadedEvent.peek().state === 'loading')
    whenLoaded(() => selectedEvent.peek() === event && runActionByKey(key))
}

/** Runs a callback after the selected event's bytes are loaded. */
function whenLoaded(callback: () => unknown): void {
  const stop = effect(() => {
    if (loadedEvent.value.state === 'loading') return
    queueMicrotask(() => {
      stop()
      callback()
    })
  })
}

/** Sends a webhook's bytes again. The result arrives over the stream. */
export const replay = (deliveryId: number): Promise<unknown> =>
  withErrorToast(async () => {
    const param = { id: String(deliveryId) }
    const { id } = await request('POST /deliveries/:id/replay', { param, json: { wait: 'accepted' } })
    announceDelivery(id, `Replaying as delivery ${id}`)
  })

/** Opens the editor of a webhook beside its newest event. */
export function editAndReplay(deliveryId: number): void {
  const event = log.journal.peek().eventIndex.eventsOfDelivery(deliveryId).at(-1)
  if (!event) return
  navigate({ screen: 'timeline', id: event.seq, query: '', range: undefined, other: undefined })
  openReplayEditor(event.seq, deliveryId)
}

export async function allowOnce(deliveryId: number): Promise<void> {
  await withErrorToast(async () => {
    const param = { id: String(deliveryId) }
    const before = log.journal.peek().eventIndex.eventsOfDelivery(deliveryId).at(-1)
    await request('POST /deliveries/:id/allow', { param, json: { wait: 'accepted' } })
    announceDelivery(deliveryId, `Delivery ${deliveryId} allowed`, before?.seq)
  })
}

export function copyAsCurl(): void {
  const exchange = selectedExchange.peek()
  if (exchange) void copy(curlCommand(exchange.request), 'cURL command')
}

function copyLink(): void {
  const id = selectedEvent.peek()?.seq
  const page = location.href.split('#')[0]!
  void copy(page + formatRoute({ screen: 'timeline', id }), 'Link')
}
