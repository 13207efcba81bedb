import type { Account } from '../domain/account.ts'
import { aboutAccount } from '../domain/events.ts'
import { Refusal, wording } from '../domain/refusals.ts'
import * as accounts from '../store/accounts.ts'
import * as behaviors from '../store/behaviors.ts'
import * as invoices from '../store/invoices.ts'
import * as links from '../store/links.ts'
import type { Work } from '../store/store.ts'

export async function createAccount(work: Work, account: Account): Promise<Account> {
  if (await accounts.find(work.db, account.id)) throw new Refusal('conflict', wording.accountTaken('id'))
  await refuseTaken(work, account)
  await accounts.insert(work.db, [account])
  await work.record({ type: 'account.created', ...aboutAccount(account.id), name: account.name })
  return account
}

export async function changeAccount(work: Work, account: Account): Promise<Account> {
  const before = await accounts.find(work.db, account.id)
  await refuseTaken(work, account)
  await accounts.save(work.db, account)
  await work.record({
    type: 'account.changed',
    ...aboutAccount(account.id),
    name: account.name,
    fields: before ? fieldsThatDiffer(before, account) : [],
  })
  return account
}

const fieldsThatDiffer = (before: Account, after: Account): string[] =>
  (Object.keys(after) as (keyof Account)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )

/** Removes an account that no link involves. */
export async function deleteAccount(work: Work, account: Account): Promise<void> {
  if (await links.involve(work.db, account.id)) throw new Refusal('conflict', wording.accountInUse)
  await invoices.removeOf(work.db, account.id)
  await behaviors.removeOf(work.db, account.id)
  await accounts.remove(work.db, account.id)
  await work.record({ type: 'account.deleted', ...aboutAccount(account.id), name: account.name })
}

/** Keys and tokens name one account each. */
async function refuseTaken({ db }: Work, account: Account): Promise<void> {
  for (const column of ['apiKey', 'recipientToken'] as const) {
    const holder = await accounts.findBy(db, column, account[column])
    if (holder && holder.id !== account.id) throw new Refusal('conflict', wording.accountTaken(column))
  }
}
