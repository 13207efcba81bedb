import { effect, signal, type ReadonlySignal } from '@preact/signals'
import type { Log } from '../log.ts'
import type { ConnectionState } from '../stream.ts'
import { report } from './report.ts'

/** Fills the log with the events in the file. */
export function openReport(log: Log): ReadonlySignal<ConnectionState> {
  const connection = signal<ConnectionState>('connecting')
  effect(() => {
    if (report.value.state === 'loading') return
    if (report.value.state === 'loaded') {
      const { header, events } = report.value.value
      log.start(header)
      log.append([...events.values()])
      document.title = `Report of ${header.madeAt.slice(0, 10)}`
    }
    connection.value = 'report'
  })
  return connection
}
