import type { EventView } from '../../server/contract/views.ts'
import { toEntry, type Entry } from './log.ts'
import { log } from './session.ts'

/** An event of this page's journal, with its current row. */
export const currentEntry = (event: EventView): Entry => toEntry(event, log.journal.value.eventIndex)
