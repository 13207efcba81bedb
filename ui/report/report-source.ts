import type { Source } from '../source.ts'
import { report } from './report.ts'

/** Looks into the file. */
export const reportSource: Source = {
  accounts: async () => (report.value.state === 'loaded' ? report.value.value.head.accounts : []),

  async event(seq) {
    const found = report.value.state === 'loaded' ? report.value.value.events.get(seq) : undefined
    return found && { event: found, exchange: found.exchange }
  },
}
