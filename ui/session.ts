import { computed } from '@preact/signals'
import { createLog } from './log.ts'
import { openReport } from './report/open-report.ts'
import { followStream } from './stream.ts'

/** The one journal this page follows, and how it is connected to it. */
export const log = createLog()
export const connection = CAN_ACT ? followStream(log) : openReport(log)

/** Goes up whenever something that the journal does not hold itself is to be loaded again. */
export const settingsVersion = computed(() => log.journal.value.settingsVersion)
