import { sql, type Kysely } from 'kysely'
import { monthStart } from '../../domain/time/calendar.ts'
import * as meta from '../meta.ts'
import { IS_WAITING } from '../rare-rows.ts'
import type { Database } from '../schema.ts'
import { changed } from '../writer-state.ts'
import * as deliveries from './deliveries.ts'
import * as refunds from './refunds.ts'

/**
 * Removes links whose last event has left the journal, with their webhooks and refunds. Keeps links that can still change or are
 * still needed: the newest link of each account, because the next id depends on it, and links with an unbilled payment, an open
 * decision, or a webhook that waits or is held.
 */
export async function removeFinishedLinks(db: Kysely<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const unbilledSince = monthStart((await meta.read(db, 'unbilled')) ?? '1970-01')
  const rows = await db
    .selectFrom('link')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '<>', 'awaiting-transfer')
    .where(({ or, eb }) => or([eb('paidAt', 'is', null), eb('paidAt', '<', unbilledSince)]))
    .where(sql<boolean>`"dispute" is distinct from 'open'`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('link as newer')
          .select('newer.id')
          .whereRef('newer.accountId', '=', 'link.accountId')
          .whereRef('newer.id', '>', 'link.id'),
      ),
    )
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('event').select('linkId').where('linkId', 'in', ids),
    )
    .where('id', 'not in', ({ selectFrom }) => selectFrom('plan').select('linkId').where('linkId', 'in', ids))
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('refund').select('linkId').where('linkId', 'in', ids).where('state', '=', 'pending'),
    )
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('delivery')
        .select('linkId')
        .where('linkId', 'in', ids)
        .where(({ or, eb }) => or([IS_WAITING, eb('state', '=', 'held')])),
    )
    .execute()
  const finished = rows.map(({ id }) => id)
  if (finished.length === 0) return
  await deliveries.removeForLinks(db, finished)
  await refunds.removeForLinks(db, finished)
  changed(db, 'link')
  await db.deleteFrom('link').where('id', 'in', finished).execute()
}
