import type { Readable } from '../readable.ts'
import { report } from './report.ts'

const loaded = () => (report.value.state === 'loaded' ? report.value.value : undefined)

/** Looks into the file. Its time stands still at when it was made. */
export const reportSource: Readable = {
  clock: async () => ({ now: loaded()?.head.madeAt ?? '', mode: 'frozen', offsetMs: 0 }),

  accounts: async () => loaded()?.head.accounts ?? [],

  async event(seq) {
    const found = loaded()?.events.get(seq)
    return found && { event: found, exchange: found.exchange }
  },
}
