import type { Kysely } from 'kysely'
import * as epoch from '../../store/journal/epoch.ts'
import * as events from '../../store/journal/events.ts'
import type { Database } from '../../store/schema.ts'

/** The journal was replaced while it was read: by a reset of the sandbox or the account, or by a restored snapshot. */
export class JournalEndedError extends Error {
  override readonly name = 'JournalEndedError'
}

/**
 * Identifies the current journal, or the part of one account. `assertCurrent` throws if the journal has been replaced, or if
 * events of the account have been deleted, because a `seq` may then belong to another event.
 */
export async function readCurrentJournal(db: Kysely<Database>, accountId: string | undefined) {
  const current = await epoch.current(db)
  const deletions = await events.deletionCount(db)
  const newest = accountId === undefined ? undefined : (await events.newest(db, { accountId }, 1))[0]?.seq
  return {
    epoch: current ?? '',
    async assertCurrent(): Promise<void> {
      if ((await epoch.current(db)) !== current) throw new JournalEndedError()
      if ((await events.deletionCount(db)) === deletions) return
      if (accountId === undefined) throw new JournalEndedError()
      if (newest === undefined) return
      const remaining = await events.count(db, { after: newest - 1, before: newest + 1 })
      if (remaining === 0) throw new JournalEndedError()
    },
  }
}
