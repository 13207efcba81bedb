import { computed } from '@preact/signals'
import { log } from '../session.ts'
import { reviewItems } from './review-item.ts'

/** How much awaits a decision of the operator. The navigation shows it. */
export const reviewCount = computed(
  () => reviewItems(log.journal.value.eventIndex.awaitingReview.values()).length,
)
