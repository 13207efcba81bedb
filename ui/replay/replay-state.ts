import { computed, signal } from '@preact/signals'
import { selectedSeq } from '../search/view.ts'

/** The unsent changes of a webhook. They remain when the editor is closed, until the page is left. */
export interface ReplayDraft {
  readonly to: string
  readonly body: string
  /** Whether the same bytes are sent two times. */
  readonly isTwice: boolean
}

/** The event beside which the editor is open, and its delivery. */
const opened = signal<{ readonly seq: number; readonly deliveryId: number } | undefined>(undefined)

/** The delivery that the editor shows. Another selected event hides the editor. */
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

/** For each replayed delivery, the deliveries that were sent last. */
const sent = signal<ReadonlyMap<number, readonly number[]>>(new Map())

export const sentFrom = (deliveryId: number): readonly number[] => sent.value.get(deliveryId) ?? []

export const setSent = (deliveryId: number, ids: readonly number[]): void =>
  void (sent.value = new Map(sent.value).set(deliveryId, ids))

/** Whether an open editor has changes that were not sent. */
export function hasUnsentChanges(): boolean {
  const deliveryId = editedDelivery.peek()
  return deliveryId !== undefined && drafts.peek().has(deliveryId)
}

/** Discards everything, because the numbers of deliveries may soon belong to others. */
export function discardReplayState(): void {
  opened.value = undefined
  drafts.value = new Map()
  sent.value = new Map()
}
