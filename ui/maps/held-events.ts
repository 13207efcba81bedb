import { computed } from '@preact/signals'
import { log } from '../session.ts'

/** What the sandbox will not send by itself. */
export const heldEvents = computed(() => [...log.journal.value.ledger.held.values()])
