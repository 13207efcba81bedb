import { computed, effect, signal } from '@preact/signals'
import { withErrorToast } from '../../data/api.ts'
import { runAction } from '../run-action.ts'
import { log } from '../../data/session.ts'
import { choices, reviewItems, type ReviewItem } from '../../data/review-item.ts'

export const reviewList = computed(() => reviewItems(log.journal.value.eventIndex.awaitingReview.values()))

export const decisions = computed(() => log.journal.value.eventIndex.decisions.slice().toReversed())

const chosen = signal<{ readonly key: string; readonly index: number }>({ key: '', index: 0 })

/** The selected item. After its decision, the item at the same position. */
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

/** Items that were decided, while the event of the decision has not arrived yet. Another key press must not decide them again. */
const pendingDecisions = new Set<string>()

export async function decide(decision: 'approve' | 'reject', item = selectedItem.peek()): Promise<void> {
  if (!item || pendingDecisions.has(item.key)) return
  selectItem(item)
  pendingDecisions.add(item.key)
  const done = await withErrorToast(() => runAction(choices[item.kind][decision].action, item.payment.link))
  if (done === undefined) pendingDecisions.delete(item.key)
}

effect(() => {
  const waiting = new Set(reviewList.value.map(({ key }) => key))
  for (const key of pendingDecisions) if (!waiting.has(key)) pendingDecisions.delete(key)
})
