import { computed, signal } from '@preact/signals'
import { selectedSeq } from '../search/view.ts'

/** The unsent changes of a webhook. They are kept when the editor is closed, until the page is closed. */
export interface ReplayDraft {
  readonly to: string
  readonly body: string
  /** Whether to send the same bytes twice. */
  readonly isTwice: boolean
}

/** The editor is open beside this event of this delivery. */
const opened = signal<{ readonly seq: number; readonly deliveryId: number } | undefined>(undefined)

/** The delivery in the editor. If another event is selected, the editor is hidden. */
export const editedDelivery = computed(() =>
  opened.value?.seq === selectedSeq.value ? opened.value?.deliveryId : undefined,
)

export const openReplayEditor = (seq: number, deliveryId: number): void =>
  void (opened.value = { seq, deliveryId })

export function closeReplayEditor(): void {
  opened.value = undefined
  document.getElementById('details')?.focus()
}

const drafts = signal<ReadonlyMap<number, ReplayDraft>>(new Map())

export const draftOf = (deliveryId: number): ReplayDraft | undefined => drafts.value.get(deliveryId)

export const setDraft = (deliveryId: number, draft: ReplayDraft): void =>
  void (drafts.value = new Map(drafts.value).set(deliveryId, draft))

/** For each original delivery, the last deliveries that were sent from the editor. */
const sent = signal<ReadonlyMap<number, readonly number[]>>(new Map())

export const sentFrom = (deliveryId: number): readonly number[] => sent.value.get(deliveryId) ?? []

export const setSent = (deliveryId: number, ids: readonly number[]): void =>
  void (sent.value = new Map(sent.value).set(deliveryId, ids))

/** Whether an editor has unsent changes. */
export function hasUnsentChanges(): boolean {
  const deliveryId = editedDelivery.peek()
  return deliveryId !== undefined && drafts.peek().has(deliveryId)
}

/** Discards everything, because the numbers of deliveries will belong to other deliveries. */
export function discardReplayState(): void {
  opened.value = undefined
  drafts.value = new Map()
  sent.value = new Map()
}
