import { computed } from '@preact/signals'
import { log } from '../../data/session.ts'

export const heldWebhookEvents = computed(() => [...log.journal.value.eventIndex.held.values()])
