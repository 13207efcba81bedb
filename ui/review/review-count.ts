import { computed } from '@preact/signals'
import { log } from '../data/session.ts'
import { reviewItems } from '../data/review-item.ts'

/** How much awaits a decision of the operator. The navigation shows it. */
export const reviewCount = computed(
  () => reviewItems(log.journal.value.eventIndex.awaitingReview.values()).length,
)
