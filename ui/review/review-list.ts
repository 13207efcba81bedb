import { computed, effect, signal } from '@preact/signals'
import { withErrorToast } from '../api.ts'
import { runAction } from '../payments/run-action.ts'
import { log } from '../session.ts'
import { choices, reviewItems, type ReviewItem } from './review-item.ts'

export const reviewList = computed(() => reviewItems(log.journal.value.eventIndex.waiting.values()))

export const decisions = computed(() => log.journal.value.eventIndex.decisions.slice().toReversed())

const chosen = signal<{ readonly key: string; readonly index: number }>({ key: '', index: 0 })

/** The selected item: the one that was chosen, or the one that took its place. */
export const selectedItem = computed((): ReviewItem | undefined => {
  const { key, index } = chosen.value
  const list = reviewList.value
  return list.find((item) => item.key === key) ?? list[Math.min(index, list.length - 1)]
})

export function selectItem(item: ReviewItem): void {
  chosen.value = { key: item.key, index: reviewList.peek().findIndex(({ key }) => key === item.key) }
}

export function stepItem(steps: number): void {
  const list = reviewList.peek()
  const from = list.findIndex(({ key }) => key === selectedItem.peek()?.key)
  const item = list[Math.max(0, Math.min(list.length - 1, from + steps))]
  if (item) selectItem(item)
}

/** What was decided here and has not been heard of yet: a second press of a key must not decide it twice. */
const underway = new Set<string>()

export async function decide(how: 'approve' | 'reject', item = selectedItem.peek()): Promise<void> {
  if (!item || underway.has(item.key)) return
  selectItem(item)
  underway.add(item.key)
  const done = await withErrorToast(() => runAction(choices[item.kind][how].action, item.payment.link))
  if (done === undefined) underway.delete(item.key)
}

effect(() => {
  const waiting = new Set(reviewList.value.map(({ key }) => key))
  for (const key of underway) if (!waiting.has(key)) underway.delete(key)
})
