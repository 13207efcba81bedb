import { computed } from '@preact/signals'
import { log } from '../session.ts'

/** What the sandbox will not send by itself. */
export const heldWebhookEvents = computed(() => [...log.journal.value.eventIndex.held.values()])
