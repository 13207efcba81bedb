import type { BehaviorChoices } from '../../../domain/behaviors/behavior.ts'
import { noSubject } from '../../../domain/links/subject.ts'
import type { RecordedEvent } from '../../../domain/events/event.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import type { EgressRules } from '../../../domain/network/egress-rules.ts'
import type { Seed } from '../../../domain/state/seed.ts'
import { BEFORE_RESET_SNAPSHOT } from '../../../domain/state/snapshot.ts'
import type { Instant } from '../../../domain/time/berlin-time.ts'
import * as behaviors from '../../../store/repositories/behaviors.ts'
import * as epoch from '../../../store/journal/epoch.ts'
import * as events from '../../../store/journal/events.ts'
import * as meta from '../../../store/meta.ts'
import * as egressRules from '../../../store/repositories/egress-rules.ts'
import type { Snapshots } from '../../../store/snapshots/snapshots.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { restoreBeforeReset } from './snapshots.ts'
import { loadSeed } from '../seed/seed-sandbox.ts'

/** The state of a new sandbox. */
export interface InitialState {
  readonly seed: Seed
  /** The behaviors that were set by startup options. They override the behaviors of the seed. */
  readonly behaviors: BehaviorChoices
  /** The maps and allowed hosts that were set by startup options. */
  readonly egressRules: EgressRules
  /** The time that was set by a startup option. */
  readonly clock?: Instant | undefined
}

const EMPTY_SEED: Seed = { accounts: [], links: [], invoices: [], behaviors: {} }

/** Resets everything, including the journal, the ids and the clock. Returns the new epoch. */
export async function reset(
  work: UnitOfWork,
  to: 'seed' | 'empty',
  initialState: InitialState,
  snapshots: Snapshots,
): Promise<string> {
  const kept = await takeUndoSnapshot(work, snapshots)
  const newEpoch = await epoch.emptyDatabase(work.db)
  await initialize(work, to === 'seed' ? initialState : { ...initialState, seed: EMPTY_SEED })
  if (kept !== undefined) await meta.write(work.db, 'undo', kept)
  await work.record({ type: 'sandbox.reset', ...noSubject, to })
  return newEpoch
}

/**
 * Takes the snapshot for undoing the reset, and returns its epoch. If nothing has happened since the previous reset, keeps the
 * snapshot of that reset, because a second click on the button would otherwise replace it with the seed.
 */
async function takeUndoSnapshot(work: UnitOfWork, snapshots: Snapshots): Promise<string | undefined> {
  const kept = await meta.read(work.db, 'undo')
  const hasSnapshot = kept !== undefined && snapshots.epochOf(BEFORE_RESET_SNAPSHOT) === kept
  if (hasSnapshot && (await isUnchangedSinceReset(work.db))) return kept
  work.addSideEffect(await snapshots.take(BEFORE_RESET_SNAPSHOT, work.now, work.db))
  return epoch.current(work.db)
}

const MAX_START_EVENTS = 200

/** Whether all events since the last reset were recorded because the sandbox was started. */
async function isUnchangedSinceReset(db: UnitOfWork['db']): Promise<boolean> {
  const [last] = await events.newest(db, { types: ['sandbox.reset'] }, 1)
  const since = await events.list(db, { after: last?.seq ?? 0 }, MAX_START_EVENTS)
  return (
    since.length < MAX_START_EVENTS && since.every((event, index) => isStartEvent(event, since[index + 1]))
  )
}

/** With the option `clock`, a sandbox that starts sets the clock before it records `sandbox.started`. */
const isStartEvent = ({ type }: RecordedEvent, next: RecordedEvent | undefined): boolean =>
  type === 'sandbox.started' || (type === 'clock.changed' && next?.type === 'sandbox.started')

const UNDONE = 'undone'

/**
 * Restores the state before the last reset, and returns the new epoch. Changes since the reset are lost. Pass the epoch that your
 * reset has begun, so that someone else's later reset is not undone.
 */
export async function undoReset(
  work: UnitOfWork,
  snapshots: Snapshots,
  resetEpoch: string | undefined,
): Promise<string> {
  const ended = await meta.read(work.db, 'undo')
  if (ended === undefined) throw apiError('nothingToUndo')
  if (ended === UNDONE) throw apiError('resetUndone')
  if (resetEpoch !== undefined && resetEpoch !== (await epoch.current(work.db))) {
    throw apiError('resetNotLast')
  }
  // A process that was killed during a reset may have left a snapshot of a different epoch, which must not be restored.
  if (snapshots.epochOf(BEFORE_RESET_SNAPSHOT) !== ended) throw apiError('undoGone')
  const restored = await restoreBeforeReset(work, snapshots)
  await meta.write(work.db, 'undo', UNDONE)
  return restored
}

/** Initializes an empty database. Returns whether the database was empty. */
export async function initializeIfNew(work: UnitOfWork, initialState: InitialState): Promise<boolean> {
  if ((await epoch.current(work.db)) !== undefined) return false
  await epoch.begin(work.db)
  await initialize(work, initialState)
  return true
}

async function initialize(
  work: UnitOfWork,
  { seed, behaviors: chosen, egressRules: startRules, clock }: InitialState,
): Promise<void> {
  await behaviors.applyStart(work.db, chosen)
  await egressRules.applyStart(work.db, startRules)
  const others = Object.entries(seed.behaviors).filter(([name]) => !(name in chosen))
  await loadSeed(work, { ...seed, behaviors: Object.fromEntries(others) }, clock)
}
