import { computed } from '@preact/signals'
import { createLog } from './log.ts'
import { source } from './source.ts'

/** The journal that this page shows, and its connection to the sandbox. */
export const log = createLog()
export const { connection, flush } = source.follow(log)

/** Whether the page still waits for events from before the connection. */
export const isLoadingEvents = computed(() => {
  const { last, head } = log.journal.value
  return connection.value === 'connecting' || last < head
})

/** Increases when data changes that the journal does not contain, such as accounts and behaviors. */
export const settingsVersion = computed(() => log.journal.value.settingsVersion)

/** Whether data can be loaded. A resource that calls this function is loaded again when settings change. */
export const canLoad = (): boolean =>
  (connection.value === 'live' || connection.value === 'report') && settingsVersion.value >= 0
