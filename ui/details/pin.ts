import { computed, signal } from '@preact/signals'
import { request, withErrorToast } from '../data/api.ts'
import { selectedSeq } from '../search/view.ts'
import { loadedEvent } from './selected-event.ts'

/** The last change on this page, which may be newer than the loaded event. */
const lastChange = signal<{ readonly seq: number; readonly pinned: boolean } | undefined>(undefined)

/** Whether the selected event is pinned, `undefined` until it is loaded. */
export const isSelectedPinned = computed((): boolean | undefined => {
  const change = lastChange.value
  if (change?.seq === selectedSeq.value) return change?.pinned
  return loadedEvent.value.state === 'loaded' ? loadedEvent.value.value?.pinned : undefined
})

/** Pins or unpins an event. Retention never removes a pinned event. */
export const pin = (seq: number, pinned: boolean): Promise<unknown> =>
  withErrorToast(async () => {
    await request(`${pinned ? 'PUT' : 'DELETE'} /events/:seq/pin`, { param: { seq } })
    lastChange.value = { seq, pinned }
  })
