import type { Account } from '../domain/account.ts'
import { monthOf } from '../domain/calendar.ts'
import { clockAt, REAL } from '../domain/clock.ts'
import { aboutNothing } from '../domain/events.ts'
import type { TaxInvoice } from '../domain/invoice.ts'
import { Refusal, wording } from '../domain/refusals.ts'
import { BEFORE_RESET } from '../domain/snapshot-name.ts'
import type { Instant } from '../domain/time.ts'
import * as accounts from '../store/accounts.ts'
import * as behaviors from '../store/behaviors.ts'
import * as epoch from '../store/epoch.ts'
import * as invoices from '../store/invoices.ts'
import * as meta from '../store/meta.ts'
import type { Snapshots } from '../store/snapshots.ts'
import type { Work } from '../store/store.ts'
import * as turnover from '../store/turnover.ts'
import { restoreBeforeReset } from './keep-snapshots.ts'

/** What a fresh sandbox holds. */
export interface Seed {
  readonly accounts: readonly Account[]
  readonly invoices: readonly TaxInvoice[]
  /** Chosen when the sandbox was started. */
  readonly behaviors: behaviors.Choices
  /** What the clock shows at first, if not the machine's time. */
  readonly clock?: Instant | undefined
}

/** Takes everything back, the journal, the ids and the clock included, and begins a new epoch. */
export async function reset(
  work: Work,
  to: 'seed' | 'empty',
  seed: Seed,
  snapshots: Snapshots,
): Promise<void> {
  const ended = await epoch.current(work.db)
  snapshots.take(BEFORE_RESET, work.now)
  await epoch.renew(work.db)
  await plant(work, to === 'seed' ? seed : { ...seed, accounts: [], invoices: [] })
  if (ended !== undefined) await meta.write(work.db, 'undo', ended)
  await work.record({ type: 'sandbox.reset', ...aboutNothing, to })
}

const UNDONE = 'undone'

/** Brings back what the last reset took. What happened since is lost. */
export async function undoReset(work: Work, snapshots: Snapshots): Promise<void> {
  const ended = await meta.read(work.db, 'undo')
  if (ended === undefined) throw new Refusal('conflict', wording.nothingToUndo)
  if (ended === UNDONE) throw new Refusal('conflict', wording.resetUndone)
  // A reset that failed half-way may have left a snapshot of another state.
  if (snapshots.epochOf(BEFORE_RESET) !== ended) throw new Refusal('conflict', wording.undoGone)
  await restoreBeforeReset(work, snapshots)
  await meta.write(work.db, 'undo', UNDONE)
}

/** Fills a database that has never been used. Gives whether it did. */
export async function plantIfNew(work: Work, seed: Seed): Promise<boolean> {
  if ((await epoch.current(work.db)) !== undefined) return false
  await epoch.renew(work.db)
  await plant(work, seed)
  return true
}

async function plant(work: Work, seed: Seed): Promise<void> {
  const { db, machine } = work
  await accounts.insert(db, seed.accounts)
  await invoices.insert(db, seed.invoices)
  await behaviors.startWith(db, seed.behaviors)
  await work.setClock(seed.clock === undefined ? REAL : clockAt('running', seed.clock, machine))
  await turnover.billFrom(db, monthOf(work.now))
}
