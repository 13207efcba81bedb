import { berlinMonth } from '../../../domain/time/calendar.ts'
import type { SandboxEvent } from '../../../domain/events/event.ts'
import { noSubject } from '../../../domain/links/subject.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import { BEFORE_RESET_SNAPSHOT } from '../../../domain/state/snapshot.ts'
import type { Snapshot } from '../../../domain/state/snapshot.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import * as behaviors from '../../../store/repositories/behaviors.ts'
import * as clocks from '../../../store/repositories/clock.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import * as epoch from '../../../store/journal/epoch.ts'
import * as egressRules from '../../../store/repositories/egress-rules.ts'
import type { Snapshots, Upload } from '../../../store/snapshots/snapshots.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as monthlyRevenue from '../../../store/repositories/monthly-revenue.ts'
import { disconnectBrowsers } from '../webhooks/disconnect-browsers.ts'
import { runDueJobs } from '../clock/run-due-jobs.ts'

/** Takes a snapshot of everything, and saves it under a name. */
export async function takeSnapshot(
  work: UnitOfWork,
  snapshots: Snapshots,
  name: string,
  replace: boolean,
): Promise<Snapshot> {
  if (name === BEFORE_RESET_SNAPSHOT) throw apiError('snapshotReserved', name)
  if (!replace && snapshots.find(name)) throw apiError('snapshotTaken', name)
  work.addSideEffect(await snapshots.take(name, work.now, work.db))
  await work.record({ type: 'snapshot.taken', ...noSubject, name })
  return requireSnapshot(snapshots, name)
}

/** Throws if a file may not be uploaded under this name. Called before and after the upload. */
export function assertUploadAllowed(snapshots: Snapshots, name: string, replace: boolean): void {
  if (name === BEFORE_RESET_SNAPSHOT) throw apiError('snapshotReserved', name)
  if (!replace && snapshots.find(name)) throw apiError('uploadTaken', name)
}

/** Saves an uploaded file as the snapshot of that name. */
export async function saveUpload(
  work: UnitOfWork,
  snapshots: Snapshots,
  name: string,
  upload: Upload,
  replace: boolean,
): Promise<Snapshot> {
  assertUploadAllowed(snapshots, name, replace)
  work.addSideEffect(await snapshots.keep(name, upload, work.db))
  return requireSnapshot(snapshots, name)
}

/** Restores a snapshot and returns the new epoch. */
export async function restoreSnapshot(work: UnitOfWork, snapshots: Snapshots, name: string): Promise<string> {
  const { allowedHosts } = await egressRules.read(work.db)
  await restoreRows(work, snapshots, name)
  // Keeps the current allowed hosts, because a file from someone else must not decide where this sandbox may send webhooks.
  await egressRules.replace(work.db, { ...(await egressRules.read(work.db)), allowedHosts })
  // Webhooks that were waiting in the snapshot may have been sent since.
  await deliveries.markPossibleDuplicates(work.db)
  return beginRestoredEpoch(work, { snapshot: name, undo: false })
}

export async function deleteSnapshot(work: UnitOfWork, snapshots: Snapshots, name: string): Promise<void> {
  requireSnapshot(snapshots, name)
  work.addSideEffect(await snapshots.remove(name, work.db))
}

/**
 * Restores the state before the last reset, and returns the new epoch. The reset has removed the waiting webhooks, so none of
 * them has been sent since.
 */
export async function restoreBeforeReset(work: UnitOfWork, snapshots: Snapshots): Promise<string> {
  await restoreRows(work, snapshots, BEFORE_RESET_SNAPSHOT)
  return beginRestoredEpoch(work, { snapshot: BEFORE_RESET_SNAPSHOT, undo: true })
}

/**
 * Continues after the database has gone back to an earlier state and has begun a new epoch. `lostEvents` is the number of lost
 * events, or `null` if this process does not know it.
 */
export async function continueAfterRewind(
  work: UnitOfWork,
  snapshots: Snapshots,
  lostEvents: number | null,
): Promise<void> {
  await snapshots.reload(work.db)
  // Webhooks that are waiting now may have been sent before.
  await deliveries.markPossibleDuplicates(work.db)
  await continueEpoch(work, { type: 'sandbox.rewound', ...noSubject, lostEvents })
}

async function restoreRows({ db }: UnitOfWork, snapshots: Snapshots, name: string): Promise<void> {
  const { problem } = requireSnapshot(snapshots, name)
  if (problem !== null) throw apiError('snapshotUnusable', name, problem)
  // The behaviors, maps and hosts from startup options replace those in the snapshot. Keys that were created after the snapshot
  // are still masked in the journal, because clients may still send them.
  const choices = await behaviors.startChoices(db)
  const started = await egressRules.startRules(db)
  const keys = await accounts.keys(db)
  await snapshots.restore(name, db)
  await behaviors.replaceStartChoices(db, choices)
  await egressRules.replaceStartRules(db, started)
  await accounts.addFormerKeys(db, keys)
}

/** Begins a new epoch. `seq` and ids continue from the snapshot. */
async function beginRestoredEpoch(
  work: UnitOfWork,
  restored: { readonly snapshot: string; readonly undo: boolean },
): Promise<string> {
  const newEpoch = await epoch.begin(work.db)
  await continueEpoch(work, { type: 'sandbox.restored', ...noSubject, ...restored })
  return newEpoch
}

/** Applies the clock setting of the earlier state, and runs the jobs that have fallen due since. */
async function continueEpoch(work: UnitOfWork, event: SandboxEvent): Promise<void> {
  await work.setClock(await clocks.read(work.db))
  await monthlyRevenue.markUnbilled(work.db, berlinMonth(work.now))
  await work.record(event)
  await disconnectBrowsers(work)
  await runDueJobs(work, work.now)
}

function requireSnapshot(snapshots: Snapshots, name: string): Snapshot {
  const snapshot = snapshots.find(name)
  if (!snapshot) throw apiError('noSnapshot', name)
  return snapshot
}
