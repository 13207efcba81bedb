import type { Account } from '../domain/account.ts'
import { aboutNothing } from '../domain/events.ts'
import type { TaxInvoice } from '../domain/invoice.ts'
import * as accounts from '../store/accounts.ts'
import * as behaviors from '../store/behaviors.ts'
import * as epoch from '../store/epoch.ts'
import * as invoices from '../store/invoices.ts'
import type { Work } from '../store/store.ts'

/** What a fresh sandbox holds. */
export interface Seed {
  readonly accounts: readonly Account[]
  readonly invoices: readonly TaxInvoice[]
  /** Chosen when the sandbox was started. */
  readonly behaviors: behaviors.Choices
}

/** Takes everything back, the journal and the ids included, and begins a new epoch. */
export async function reset(work: Work, to: 'seed' | 'empty', seed: Seed): Promise<void> {
  await epoch.renew(work.db)
  await plant(work, to === 'seed' ? seed : { ...seed, accounts: [], invoices: [] })
  await work.record({ type: 'sandbox.reset', ...aboutNothing, to })
}

/** Fills a database that has never been used. */
export async function plantIfNew(work: Work, seed: Seed): Promise<void> {
  if ((await epoch.current(work.db)) !== undefined) return
  await epoch.renew(work.db)
  await plant(work, seed)
}

async function plant({ db }: Work, seed: Seed): Promise<void> {
  await accounts.insert(db, seed.accounts)
  await invoices.insert(db, seed.invoices)
  await behaviors.startWith(db, seed.behaviors)
}
