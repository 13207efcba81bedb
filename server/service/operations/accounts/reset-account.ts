import type { Account } from '../../../domain/accounts/account.ts'
import { accountSubject } from '../../../domain/links/subject.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import * as accountOriginals from '../../../store/repositories/account-originals.ts'
import * as behaviors from '../../../store/repositories/behaviors.ts'
import * as idBlocks from '../../../store/repositories/id-blocks.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import * as events from '../../../store/journal/events.ts'
import * as faults from '../../../store/repositories/faults.ts'
import * as invoices from '../../../store/repositories/invoices.ts'
import * as links from '../../../store/repositories/links.ts'
import * as refunds from '../../../store/repositories/refunds.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as pendingRequests from '../../../store/repositories/pending-requests.ts'
import { findTakenSecret } from './manage-accounts.ts'
import { recordOverflow } from '../tunnels/record-overflow.ts'

/**
 * Resets an account to its original state, and removes everything that belongs to it. Links of other accounts stay, even if the
 * account gets a share of them. If a new table has rows of an account, empty it here. The highest ids of deliveries and shared
 * links are kept, so that no id is used twice in an epoch. Link ids begin again only in the account's own block. The journal
 * gets gaps. Code that caches state of an account must subscribe to `clearsAccount` events.
 */
export async function resetAccount(work: UnitOfWork, { id }: Account): Promise<Account> {
  const { db } = work
  const original = await accountOriginals.find(db, id)
  const taken = await findTakenSecret(work, original.account)
  if (taken) throw apiError('accountCannotGoBack', taken)

  // Recorded before older events are removed, so that the next `seq` comes after this one.
  await work.record({ type: 'account.reset', ...accountSubject(id), name: original.account.name })
  await recordOverflow(work, await pendingRequests.countsForAccount(db, id))
  await events.deleteOlder(db, id)
  await links.removeForAccount(db, id, async (linkIds) => {
    await deliveries.removeForLinks(db, linkIds)
    await refunds.removeForLinks(db, linkIds)
  })
  await invoices.removeForAccount(db, id)
  await invoices.insert(db, original.invoices)
  await behaviors.removeForAccount(db, id)
  await faults.removeForAccount(db, id)
  await idBlocks.free(db, id, 2)
  await accounts.save(db, original.account)
  return original.account
}
