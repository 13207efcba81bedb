import { berlinMonth } from '../../domain/time/calendar.ts'
import { noSubject } from '../../domain/links/subject.ts'
import { ApiError, messages } from '../../domain/api/api-error.ts'
import { BEFORE_RESET_SNAPSHOT } from '../../domain/state/snapshot.ts'
import type { Snapshot } from '../../domain/state/snapshot.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import * as clocks from '../../store/repositories/clock.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { Snapshots, Upload } from '../../store/snapshots/snapshots.ts'
import type { UnitOfWork } from '../../store/store.ts'
import * as monthlyRevenue from '../../store/repositories/monthly-revenue.ts'
import { dropWaitingRedirects } from '../webhooks/redirect.ts'
import { runDueJobs } from '../clock/run-due-jobs.ts'

type Migrated = Awaited<ReturnType<Snapshots['migrated']>>

/** Keeps everything as it is now under a name. */
export async function takeSnapshot(
  work: UnitOfWork,
  snapshots: Snapshots,
  name: string,
  replace: boolean,
): Promise<Snapshot> {
  if (name === BEFORE_RESET_SNAPSHOT) throw new ApiError('invalid', messages.snapshotReserved(name))
  if (!replace && snapshots.find(name)) throw new ApiError('conflict', messages.snapshotTaken(name))
  work.addSideEffect(snapshots.take(name, work.now))
  await work.record({ type: 'snapshot.taken', ...noSubject, name })
  return requireSnapshot(snapshots, name)
}

/** Whether a file may be kept under a name, asked before it is received and once more when it is. */
export function assertUploadAllowed(snapshots: Snapshots, name: string, replace: boolean): void {
  if (name === BEFORE_RESET_SNAPSHOT) throw new ApiError('invalid', messages.snapshotReserved(name))
  if (!replace && snapshots.find(name)) throw new ApiError('conflict', messages.uploadTaken(name))
}

/** Keeps a file that was received as the snapshot of that name. */
export function saveUpload(
  work: UnitOfWork,
  snapshots: Snapshots,
  name: string,
  upload: Upload,
  replace: boolean,
): Snapshot {
  assertUploadAllowed(snapshots, name, replace)
  work.addSideEffect(snapshots.keep(name, upload))
  return requireSnapshot(snapshots, name)
}

/**
 * Puts everything back as it was when a snapshot was taken, and goes on from there in a new epoch, which it gives.
 * One of an older schema is restored from a migrated copy.
 */
export async function restoreSnapshot(
  work: UnitOfWork,
  snapshots: Snapshots,
  name: string,
  migrated: Migrated,
): Promise<string> {
  const { allowedHosts } = await egressRules.read(work.db)
  await restoreRows(work, snapshots, name, migrated)
  // Whom this sandbox may send to is for whoever runs it to say, and not for a file from elsewhere.
  await egressRules.replace(work.db, { ...(await egressRules.read(work.db)), allowedHosts })
  // What waited then may have been sent since.
  await deliveries.markPossibleDuplicates(work.db)
  return beginRestoredEpoch(work, { snapshot: name, undo: false })
}

export function deleteSnapshot(work: UnitOfWork, snapshots: Snapshots, name: string): void {
  requireSnapshot(snapshots, name)
  work.addSideEffect(snapshots.remove(name))
}

/** Puts everything back as it was before the last reset, in a new epoch, which it gives. */
export async function restoreBeforeReset(
  work: UnitOfWork,
  snapshots: Snapshots,
  migrated: Migrated,
): Promise<string> {
  await restoreRows(work, snapshots, BEFORE_RESET_SNAPSHOT, migrated)
  return beginRestoredEpoch(work, { snapshot: BEFORE_RESET_SNAPSHOT, undo: true })
}

async function restoreRows(
  { db }: UnitOfWork,
  snapshots: Snapshots,
  name: string,
  migrated: Migrated,
): Promise<void> {
  const { problem } = requireSnapshot(snapshots, name)
  if (problem !== null) throw new ApiError('conflict', messages.snapshotUnusable(name, problem))
  // What the snapshot has of these may have come with an earlier start, and whoever got a key since may still send it.
  const choices = await behaviors.startChoices(db)
  const started = await egressRules.startRules(db)
  const keys = await accounts.keys(db)
  snapshots.restore(name, migrated)
  await behaviors.replaceStartChoices(db, choices)
  await egressRules.replaceStartRules(db, started)
  await accounts.rememberKeys(db, keys)
}

/** The clock is set as it was; time itself has passed since. */
async function beginRestoredEpoch(
  work: UnitOfWork,
  restored: { readonly snapshot: string; readonly undo: boolean },
): Promise<string> {
  const begun = await epoch.begin(work.db)
  await work.setClock(await clocks.read(work.db))
  await monthlyRevenue.reopen(work.db, berlinMonth(work.now))
  await work.record({ type: 'sandbox.restored', ...noSubject, ...restored })
  await dropWaitingRedirects(work)
  await runDueJobs(work, work.now)
  return begun
}

function requireSnapshot(snapshots: Snapshots, name: string): Snapshot {
  const found = snapshots.find(name)
  if (!found) throw new ApiError('not-found', messages.noSnapshot(name))
  return found
}
