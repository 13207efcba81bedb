import type { BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import { noSubject } from '../../domain/links/subject.ts'
import type { RecordedEvent } from '../../domain/events/event.ts'
import { ApiError, messages } from '../../domain/api/api-error.ts'
import type { EgressRules } from '../../domain/network/egress-rules.ts'
import type { Seed } from '../../domain/state/seed.ts'
import { BEFORE_RESET_SNAPSHOT } from '../../domain/state/snapshot.ts'
import type { Instant } from '../../domain/time/time.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as events from '../../store/journal/events.ts'
import * as meta from '../../store/meta.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { Snapshots } from '../../store/snapshots/snapshots.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { restoreBeforeReset } from './snapshots.ts'
import { loadSeed } from './seed-sandbox.ts'

/** What a fresh sandbox begins with. */
export interface InitialState {
  readonly seed: Seed
  /** Chosen when the sandbox was started, and so over what the seed chooses. */
  readonly behaviors: BehaviorChoices
  /** Maps and hosts given when the sandbox was started. */
  readonly egressRules: EgressRules
  /** What the clock was to show then. */
  readonly clock?: Instant | undefined
}

const EMPTY_SEED: Seed = { accounts: [], links: [], invoices: [], behaviors: {} }

/** Takes everything back, the journal, the ids and the clock included, and begins a new epoch, which it gives. */
export async function reset(
  work: UnitOfWork,
  to: 'seed' | 'empty',
  beginning: InitialState,
  snapshots: Snapshots,
): Promise<string> {
  const kept = await takeUndoSnapshot(work, snapshots)
  const begun = await epoch.renew(work.db)
  await initialize(work, to === 'seed' ? beginning : { ...beginning, seed: EMPTY_SEED })
  if (kept !== undefined) await meta.write(work.db, 'undo', kept)
  await work.record({ type: 'sandbox.reset', ...noSubject, to })
  return begun
}

/**
 * Keeps what an undo brings back, and gives the epoch of it. Where nothing has happened since the last reset, what
 * that one kept stays: a second click on the button would put the seed in its place.
 */
async function takeUndoSnapshot(work: UnitOfWork, snapshots: Snapshots): Promise<string | undefined> {
  const kept = await meta.read(work.db, 'undo')
  const isThere = kept !== undefined && snapshots.epochOf(BEFORE_RESET_SNAPSHOT) === kept
  if (isThere && (await isUnchangedSinceReset(work.db))) return kept
  work.addSideEffect(snapshots.take(BEFORE_RESET_SNAPSHOT, work.now))
  return epoch.current(work.db)
}

const MAX_START_EVENTS = 200

/** Whether nothing has come into the journal since the last reset but what starts of the sandbox write. */
async function isUnchangedSinceReset(db: UnitOfWork['db']): Promise<boolean> {
  const [last] = await events.newest(db, { types: ['sandbox.reset'] }, 1)
  const since = await events.list(db, { after: last?.seq ?? 0 }, MAX_START_EVENTS)
  return (
    since.length < MAX_START_EVENTS && since.every((event, index) => isStartEvent(event, since[index + 1]))
  )
}

/** A start that was given a time sets the clock right before it says that it started. */
const isStartEvent = ({ type }: RecordedEvent, next: RecordedEvent | undefined): boolean =>
  type === 'sandbox.started' || (type === 'clock.changed' && next?.type === 'sandbox.started')

const UNDONE = 'undone'

/**
 * Brings back what the last reset took, and gives the new epoch. What happened since is lost. Who says which epoch
 * their reset began undoes no other.
 */
export async function undoReset(
  work: UnitOfWork,
  snapshots: Snapshots,
  migrated: Awaited<ReturnType<Snapshots['migrated']>>,
  begun: string | undefined,
): Promise<string> {
  const ended = await meta.read(work.db, 'undo')
  if (ended === undefined) throw new ApiError('conflict', messages.nothingToUndo)
  if (ended === UNDONE) throw new ApiError('conflict', messages.resetUndone)
  if (begun !== undefined && begun !== (await epoch.current(work.db))) {
    throw new ApiError('conflict', messages.resetNotLast)
  }
  // A process that ended in the middle of a reset may have left a snapshot of another state.
  if (snapshots.epochOf(BEFORE_RESET_SNAPSHOT) !== ended) throw new ApiError('conflict', messages.undoGone)
  const restored = await restoreBeforeReset(work, snapshots, migrated)
  await meta.write(work.db, 'undo', UNDONE)
  return restored
}

/** Fills a database that has never been used. Gives whether it did. */
export async function initializeIfNew(work: UnitOfWork, beginning: InitialState): Promise<boolean> {
  if ((await epoch.current(work.db)) !== undefined) return false
  await epoch.renew(work.db)
  await initialize(work, beginning)
  return true
}

async function initialize(
  work: UnitOfWork,
  { seed, behaviors: chosen, egressRules: given, clock }: InitialState,
): Promise<void> {
  await behaviors.applyStart(work.db, chosen)
  await egressRules.applyStart(work.db, given)
  const others = Object.entries(seed.behaviors).filter(([name]) => !(name in chosen))
  await loadSeed(work, { ...seed, behaviors: Object.fromEntries(others) }, clock)
}
