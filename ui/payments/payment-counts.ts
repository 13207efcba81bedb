import { computed } from '@preact/signals'
import { log } from '../data/session.ts'

export const paymentCount = computed(() => log.journal.value.eventIndex.payments.size)

/** How many payments need attention. The navigation shows it. */
export const attentionCount = computed(() => log.journal.value.eventIndex.groupOfPayments('attention').size)
