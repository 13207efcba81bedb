import type { Kysely } from 'kysely'
import * as epoch from '../../store/journal/epoch.ts'
import * as events from '../../store/journal/events.ts'
import type { Database } from '../../store/schema.ts'

/** What is being read of the journal has ended: by a reset, of its account too, or by a restored snapshot. */
export class JournalEnded extends Error {
  override readonly name = 'JournalEnded'
}

/**
 * The journal of now, or one account's part of it, and a check that what was read since is of no other: that has other
 * events under the same numbers, or without those that an account's reset took.
 */
export async function readGeneration(db: Kysely<Database>, accountId: string | undefined) {
  const current = await epoch.current(db)
  const sweeps = await events.deletionCount(db)
  const newest = accountId === undefined ? undefined : (await events.newest(db, { accountId }, 1))[0]?.seq
  return {
    epoch: current ?? '',
    async assertCurrent(): Promise<void> {
      if ((await epoch.current(db)) !== current) throw new JournalEnded()
      if ((await events.deletionCount(db)) === sweeps) return
      if (accountId === undefined) throw new JournalEnded()
      if (newest === undefined) return
      const isThere = await events.count(db, { after: newest - 1, before: newest + 1 })
      if (isThere === 0) throw new JournalEnded()
    },
  }
}
