import type { Account } from '../domain/account.ts'
import type { Choices } from '../domain/behavior.ts'
import { monthOf } from '../domain/calendar.ts'
import { clockAt, REAL } from '../domain/clock.ts'
import { aboutNothing, type Recorded } from '../domain/events.ts'
import type { TaxInvoice } from '../domain/invoice.ts'
import { Refusal, wording } from '../domain/refusals.ts'
import { BEFORE_RESET } from '../domain/snapshot-name.ts'
import type { Instant } from '../domain/time.ts'
import * as accounts from '../store/accounts.ts'
import * as beginnings from '../store/beginnings.ts'
import * as behaviors from '../store/behaviors.ts'
import * as epoch from '../store/epoch.ts'
import * as events from '../store/events.ts'
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
  readonly behaviors: Choices
  /** What the clock shows at first, if not the machine's time. */
  readonly clock?: Instant | undefined
}

/** Takes everything back, the journal, the ids and the clock included, and begins a new epoch, which it gives. */
export async function reset(
  work: Work,
  to: 'seed' | 'empty',
  seed: Seed,
  snapshots: Snapshots,
): Promise<string> {
  const kept = await keepForUndo(work, snapshots)
  const begun = await epoch.renew(work.db)
  await plant(work, to === 'seed' ? seed : { ...seed, accounts: [], invoices: [] })
  if (kept !== undefined) await meta.write(work.db, 'undo', kept)
  await work.record({ type: 'sandbox.reset', ...aboutNothing, to })
  return begun
}

/**
 * Keeps what an undo brings back, and gives the epoch of it. Where nothing has happened since the last reset, what
 * that one kept stays: a second click on the button would put the seed in its place.
 */
async function keepForUndo(work: Work, snapshots: Snapshots): Promise<string | undefined> {
  const kept = await meta.read(work.db, 'undo')
  const isThere = kept !== undefined && snapshots.epochOf(BEFORE_RESET) === kept
  if (isThere && (await isUntouched(work.db))) return kept
  snapshots.take(BEFORE_RESET, work.now)
  return epoch.current(work.db)
}

const MOST_OF_ITS_OWN = 200

/** Whether the journal holds a reset and nothing else but what starts of the sandbox have written since. */
async function isUntouched(db: Work['db']): Promise<boolean> {
  const journal = await events.list(db, {}, MOST_OF_ITS_OWN)
  return journal.length < MOST_OF_ITS_OWN && journal.every((event, index) => isOwn(event, journal[index + 1]))
}

/** A start that was given a time sets the clock right before it says that it started. */
const isOwn = ({ type }: Recorded, next: Recorded | undefined): boolean =>
  type === 'sandbox.reset' ||
  type === 'sandbox.started' ||
  (type === 'clock.changed' && next?.type === 'sandbox.started')

const UNDONE = 'undone'

/**
 * Brings back what the last reset took, and gives the new epoch. What happened since is lost. Who says which epoch
 * their reset began undoes no other.
 */
export async function undoReset(
  work: Work,
  snapshots: Snapshots,
  begun: string | undefined,
): Promise<string> {
  const ended = await meta.read(work.db, 'undo')
  if (ended === undefined) throw new Refusal('conflict', wording.nothingToUndo)
  if (ended === UNDONE) throw new Refusal('conflict', wording.resetUndone)
  if (begun !== undefined && begun !== (await epoch.current(work.db))) {
    throw new Refusal('conflict', wording.resetNotLast)
  }
  // A reset that failed half-way may have left a snapshot of another state.
  if (snapshots.epochOf(BEFORE_RESET) !== ended) throw new Refusal('conflict', wording.undoGone)
  const restored = await restoreBeforeReset(work, snapshots)
  await meta.write(work.db, 'undo', UNDONE)
  return restored
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
  for (const account of seed.accounts) {
    const own = seed.invoices.filter(({ accountId }) => accountId === account.id)
    await beginnings.insert(db, { account, invoices: own })
  }
  await behaviors.startWith(db, seed.behaviors)
  await work.setClock(seed.clock === undefined ? REAL : clockAt('running', seed.clock, machine))
  await turnover.billFrom(db, monthOf(work.now))
}
