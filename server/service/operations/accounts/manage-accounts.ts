import type { Account } from '../../../domain/accounts/account.ts'
import { accountSubject } from '../../../domain/links/subject.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import * as accountOriginals from '../../../store/repositories/account-originals.ts'
import * as behaviors from '../../../store/repositories/behaviors.ts'
import * as idBlocks from '../../../store/repositories/id-blocks.ts'
import * as events from '../../../store/journal/events.ts'
import * as faults from '../../../store/repositories/faults.ts'
import * as invoices from '../../../store/repositories/invoices.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as pendingRequests from '../../../store/repositories/pending-requests.ts'
import { buildAccount, type AccountDraft } from './draft-account.ts'
import { nextAccountId, nextAccountName } from './account-identity.ts'
import { recordOverflow } from '../tunnels/record-overflow.ts'

/** Creates an account with its own block of ids. */
export async function createAccount(work: UnitOfWork, request: AccountDraft): Promise<Account> {
  const { db } = work
  const name = request.name ?? (await nextAccountName(work))
  const id = request.id ?? (await nextAccountId(work, name))
  const account = buildAccount(request, id, name)
  if (await accounts.find(db, id)) throw apiError('accountTaken', 'id')
  const taken = await findTakenSecret(work, account)
  if (taken) throw apiError('accountTaken', taken)

  await accounts.insert(db, [account])
  await accountOriginals.save(db, { account, invoices: [] })
  if (!(await idBlocks.take(db, id, 1, name))) throw apiError('idBlocksUsedUp')
  await work.record({ type: 'account.created', ...accountSubject(id), name })
  return account
}

export async function changeAccount(work: UnitOfWork, account: Account): Promise<Account> {
  const before = await accounts.find(work.db, account.id)
  const taken = await findTakenSecret(work, account)
  if (taken) throw apiError('accountTaken', taken)
  await accounts.save(work.db, account)
  await work.record({
    type: 'account.changed',
    ...accountSubject(account.id),
    name: account.name,
    fields: before ? changedFields(before, account) : [],
  })
  return account
}

const changedFields = (before: Account, after: Account): string[] =>
  (Object.keys(after) as (keyof Account)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )

/** Deletes an account and its events. Rejected if a link belongs to the account or gives it a share. */
export async function deleteAccount(work: UnitOfWork, { id, name }: Account): Promise<void> {
  const { db } = work
  if (await links.isOwner(db, id)) throw apiError('accountOwnsLinks', id)
  if (await links.isRecipient(db, id)) throw apiError('accountSharesInLinks')
  await work.record({ type: 'account.deleted', ...accountSubject(id), name })
  await recordOverflow(work, await pendingRequests.countsForAccount(db, id))
  await events.deleteOlder(db, id)
  await invoices.removeForAccount(db, id)
  await behaviors.removeForAccount(db, id)
  await faults.removeForAccount(db, id)
  await idBlocks.free(db, id)
  await accountOriginals.remove(db, id)
  await accounts.remove(db, id)
}

/** Finds a key or a token of the account that already belongs to a different account. */
export async function findTakenSecret(
  { db }: UnitOfWork,
  account: Account,
): Promise<'apiKey' | 'recipientToken' | undefined> {
  for (const column of ['apiKey', 'recipientToken'] as const) {
    const holder = await accounts.findByColumn(db, column, account[column])
    if (holder && holder.id !== account.id) return column
  }
  return undefined
}
