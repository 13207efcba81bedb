import { computed, signal } from '@preact/signals'
import { api, withErrorToast } from '../api.ts'
import { selectedSeq } from '../timeline/view.ts'
import { selected } from './selected-event.ts'

/** What was pinned or unpinned here last, which may be after it was loaded. */
const pinnedHere = signal<{ readonly seq: number; readonly pinned: boolean } | undefined>(undefined)

/** Whether the selected event is pinned, once that is known. */
export const isSelectedPinned = computed((): boolean | undefined => {
  const here = pinnedHere.value
  if (here?.seq === selectedSeq.value) return here?.pinned
  return selected.value.state === 'loaded' ? selected.value.value?.pinned : undefined
})

/** Keeps an event in the journal however many follow, or lets go of it. */
export const pin = (seq: number, pinned: boolean): Promise<unknown> =>
  withErrorToast(async () => {
    const at = api.events[':seq'].pin
    const param = { seq: String(seq) }
    await (pinned ? at.$put({ param }) : at.$delete({ param }))
    pinnedHere.value = { seq, pinned }
  })
