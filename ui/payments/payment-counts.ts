import { computed } from '@preact/signals'
import { log } from '../data/session.ts'

export const paymentCount = computed(() => log.journal.value.eventIndex.payments.size)
