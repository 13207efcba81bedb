import type { Kysely } from 'kysely'
import * as epoch from '../store/epoch.ts'
import type { Database } from '../store/schema.ts'

/** The journal that is being read has ended, by a reset or a restored snapshot. */
export class JournalEnded extends Error {
  override readonly name = 'JournalEnded'
}

/** The journal of now, and a check that what was read since is of no other: that has other events under the same numbers. */
export async function currentJournal(db: Kysely<Database>) {
  const current = await epoch.current(db)
  return {
    epoch: current ?? '',
    async stillGoesOn(): Promise<void> {
      if ((await epoch.current(db)) !== current) throw new JournalEnded()
    },
  }
}
