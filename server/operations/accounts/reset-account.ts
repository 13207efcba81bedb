import type { Account } from '../../domain/accounts/account.ts'
import { accountSubject } from '../../domain/links/subject.ts'
import { ApiError, messages } from '../../domain/api/api-error.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as accountOriginals from '../../store/repositories/account-originals.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import * as idBlocks from '../../store/repositories/id-blocks.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as events from '../../store/journal/events.ts'
import * as faults from '../../store/repositories/faults.ts'
import * as invoices from '../../store/repositories/invoices.ts'
import * as links from '../../store/repositories/links.ts'
import * as refunds from '../../store/repositories/refunds.ts'
import type { UnitOfWork } from '../../store/store.ts'
import * as pendingRequests from '../../store/repositories/pending-requests.ts'
import { findTakenSecret } from './accounts.ts'
import { recordOverflow } from '../tunnels/record-overflow.ts'

/**
 * Takes an account back to how it was made, and everything of its own away. Its links' ids begin again where they
 * are from a block of its own, and go on where others share the range; nobody else sees anything of it, as links of
 * others stay, those included that give it a share.
 */
export async function resetAccount(work: UnitOfWork, { id }: Account): Promise<Account> {
  const { db } = work
  const original = await accountOriginals.find(db, id)
  const taken = await findTakenSecret(work, original.account)
  if (taken) throw new ApiError('conflict', messages.accountCannotGoBack(taken))

  // First, so that it has the highest `seq` when what is older goes.
  await work.record({ type: 'account.reset', ...accountSubject(id), name: original.account.name })
  await recordOverflow(work, await pendingRequests.countsForAccount(db, id))
  await events.deleteOlder(db, id)
  await deliveries.removeOf(db, id)
  await refunds.removeOf(db, id)
  await links.removeOf(db, id)
  await invoices.removeOf(db, id)
  await invoices.insert(db, original.invoices)
  await behaviors.removeOf(db, id)
  await faults.removeOf(db, id)
  await idBlocks.free(db, id, 2)
  await accounts.save(db, original.account)
  return original.account
}
