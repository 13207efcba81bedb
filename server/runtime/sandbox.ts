import type { SandboxOptions } from './config/options.ts'
import { readSandboxOptions, type SandboxSettings } from './config/read-options.ts'
import { watchClock } from '../service/clock/clock-watcher.ts'
import { documentedErrors } from '../service/api/document/documented-errors.evaluated.ts'
import type { Account } from '../domain/accounts/account.ts'
import { type RunReport, createRunTally } from '../domain/events/run-report.ts'
import { noSubject } from '../domain/links/subject.ts'
import type { EgressRules } from '../domain/network/egress-rules.ts'
import { isLoopback } from '../domain/network/loopback.ts'
import { printableDatabase } from '../platform/system/database-name.ts'
import type { App } from '../platform/http/node-env.ts'
import { networkOrigins } from '../platform/http/own-addresses.ts'
import { isClientAbort } from '../platform/http/read-request.ts'
import { runDueJobs } from '../service/operations/clock/run-due-jobs.ts'
import { setClock } from '../service/operations/clock/set-clock.ts'
import { type InitialState, initializeIfNew } from '../service/operations/state/reset.ts'
import { disconnectAllExcept } from '../service/operations/tunnels/connect-listener.ts'
import { disconnectBrowsers } from '../service/operations/webhooks/disconnect-browsers.ts'
import type { Role } from './replicas/current-role.ts'
import type { Run } from './replicas/start-replica.ts'
import { assemble, type Progress } from './assemble.ts'
import { followRewinds } from './follow-rewinds.ts'
import { originOf } from './origin-of.ts'
import { prepare, type PreparedFiles } from './prepare.ts'
import { serve } from './server.ts'
import { describeFailure, databaseTroubleOf, openError, DatabaseError } from '../store/database-error.ts'
import type { Engine } from '../store/engine.ts'
import { openDatabase } from '../store/open-database.ts'
import * as accounts from '../store/repositories/accounts.ts'
import * as behaviors from '../store/repositories/behaviors.ts'
import * as egressRules from '../store/repositories/egress-rules.ts'
import { createRetention } from '../store/retention.ts'
import type { UnitOfWork } from '../store/store.ts'
import { runsInContainer } from '../platform/system/in-container.ts'
import { version } from '../platform/system/version.ts'
import type { Certificate } from '../platform/tls/certificate.ts'

/** A sandbox in this process. */
export interface RunningSandbox {
  readonly url: string
  readonly version: string
  /** Origin of the upstream that answers API calls, or `null` if the sandbox answers them itself. */
  readonly upstream: string | null
  /** The addresses for other machines. Empty in a container, or if the sandbox can be reached from this machine only. */
  readonly urlsForOthers: readonly string[]
  /** The certificate for https. */
  readonly certificate: Certificate | undefined
  /** Whether this run has loaded the seed. If the database already has data, it is kept. */
  readonly isNew: boolean
  /** The accounts, with their keys and tokens. */
  accounts(): Promise<Account[]>
  /** The current maps and allowed hosts. */
  egressRules(): Promise<EgressRules>
  /** Resolves when no webhook is due or underway. */
  settled(): Promise<void>
  /** What was called since the sandbox started, and which open points that depended on. */
  runReport(): RunReport
  /** With replicas: this process's role, and the leader's URL. */
  readonly replica?: () => { readonly role: Role['name']; readonly leader: string | null }
  /** Rejects if this replica can neither lead nor follow. */
  readonly failed?: Promise<never>
  /** Stops the sandbox. Webhooks that are underway may take `graceMs` to finish. A second call waits for the first one. */
  close(graceMs?: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Builds a complete sandbox and starts it. Rejects with a `UsageError` if an option prevents that. */
export const runSandbox = async (options: SandboxOptions = {}): Promise<RunningSandbox> =>
  startWithSettings(readSandboxOptions(options))

/** Starts a sandbox with validated options. */
export async function startWithSettings(settings: SandboxSettings): Promise<RunningSandbox> {
  const { host, port, db } = settings
  const prepared = await prepare(settings)
  const database = await openDatabase(db)
  return runOn(settings, prepared, database, (app) => serve(app, host, port, prepared.certificate))
}

/** Starts one of several processes that share a PostgreSQL database. */
export async function startReplicaWithSettings(
  settings: SandboxSettings,
  replicaUrl: string | undefined,
): Promise<RunningSandbox> {
  const { host, port, db, publicUrl, isInContainer = runsInContainer() } = settings
  const prepared = await prepare(settings)
  const { certificate } = prepared
  const { startReplica } = await import('./replicas/start-replica.ts')
  const { createAgreement } = await import('./agreed-options.ts')
  const { createFollowerApp } = await import('./follower-app.ts')
  let origin = originOf(settings, port)
  const replica = await startReplica({
    db,
    version,
    certificate: certificate?.cert,
    agreement: createAgreement(settings, prepared, printableDatabase(db)),
    urlAt: (ownPort) => {
      origin = originOf(settings, ownPort)
      return replicaUrl ?? networkOrigins(host, origin)[0] ?? origin
    },
    followerApp: createFollowerApp(settings, () => origin),
    serve: (app, gate) => serve(app, host, port, certificate, {}, gate),
    run: (engine, serveApp, isTakeover, url) =>
      // A follower that takes over must not set the clock.
      runOn({ ...settings, ...(isTakeover && { clock: undefined }) }, prepared, engine, serveApp, url),
    note: settings.onError ?? createErrorReport(console.error),
  })
  const leading = replica.running
  return {
    url: origin,
    urlsForOthers: urlsForOthers(publicUrl, isInContainer ? [] : networkOrigins(host, origin)),
    version,
    upstream: settings.upstream === undefined ? null : new URL(settings.upstream).origin,
    certificate,
    isNew: leading()?.isNew ?? false,
    accounts: async () => (await leading()?.accounts()) ?? [],
    egressRules: async () => (await leading()?.egressRules()) ?? { maps: [], allowedHosts: [] },
    settled: async () => leading()?.settled(),
    runReport: () =>
      leading()?.runReport() ?? createRunTally(settings.now().toISOString(), documentedErrors).report(),
    replica: () => {
      const role = replica.role()
      return { role: role.name, leader: 'url' in role ? role.url : null }
    },
    failed: replica.failed,
    close: replica.close,
    [Symbol.asyncDispose]: () => replica.close(),
  }
}

/** Builds a sandbox on an open database, and serves it. `replicaUrl` is its address for other replicas. */
async function runOn(
  settings: SandboxSettings,
  prepared: PreparedFiles,
  database: Engine,
  serveApp: (app: App) => Promise<{ readonly port: number; close(): Promise<void> }>,
  replicaUrl?: string,
): Promise<RunningSandbox & Run> {
  const { host, db, publicUrl } = settings
  const { initialState, certificate } = prepared
  const report = settings.onError ?? createErrorReport(console.error)
  const progress: Progress = {
    port: settings.port,
    origin: originOf(settings, settings.port),
    phase: 'starting',
  }
  // It is no failure if a request ends because the client disconnects or the sandbox stops.
  const onError = (error: unknown): void => {
    if (progress.phase !== 'stopped' && !isClientAbort(error))
      report(describeFailure(printableDatabase(db), error))
  }
  const parts = await assemble(settings, prepared, database, progress, onError, replicaUrl)
  const { store, dispatcher, planRunner, tally, upstream, origin } = parts
  let watch: ReturnType<typeof watchClock> | undefined
  let retention: ReturnType<typeof createRetention> | undefined
  let server: Awaited<ReturnType<typeof serveApp>> | undefined

  async function end(graceMs: number): Promise<void> {
    progress.phase = 'stopping'
    watch?.stop()
    parts.mover.stop()
    await dispatcher.stop(graceMs)
    await planRunner.stop()
    await upstream?.close()
    progress.phase = 'stopped'
    rewinds.stop()
    parts.listeners.stop()
    parts.ownRequests.stop()
    await server?.close()
    await parts.outbound.close()
    await retention?.stop()
    await store.idle()
    await database.close()
    await certificate?.dispose()
  }
  let ending: Promise<void> | undefined
  const close = (graceMs = 0): Promise<void> => (ending ??= end(graceMs))

  let isNew: boolean
  const rewinds = followRewinds(
    database,
    store,
    (lostEvents) => report(new DatabaseError(rewindMessage(printableDatabase(db), lostEvents))),
    onError,
  )
  try {
    isNew = await store.transact((work) => initialize(work, initialState, settings.clock))
    await rewinds.start()
    // Subscribes after the seed is loaded, so that the run report does not count the seed's events.
    store.eventBus.subscribe(tally.count)
    server = await serveApp(parts.app)
    progress.port = server.port
    progress.origin = originOf(settings, server.port)
    await store.transact((work) => work.record({ type: 'sandbox.started', ...noSubject, version }))
    await dispatcher.start()
    await planRunner.start()
    watch = watchClock(store, dispatcher, onError)
    if (settings.keep > 0)
      retention = createRetention(
        store,
        { keep: settings.keep, isInMemory: settings.db === ':memory:' },
        onError,
      )
    progress.phase = 'ready'
  } catch (error) {
    await close()
    const trouble = databaseTroubleOf(error)
    throw trouble === undefined ? error : openError(printableDatabase(db), trouble, error)
  }
  return {
    url: origin(),
    urlsForOthers: urlsForOthers(publicUrl, parts.isInContainer ? [] : networkOrigins(host, origin())),
    version,
    upstream: upstream?.origin ?? null,
    certificate,
    isNew,
    accounts: () => accounts.list(store.db),
    egressRules: () => egressRules.read(store.db),
    settled: dispatcher.settled,
    finishWebhooks: dispatcher.finish,
    runReport: tally.report,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

const rewindMessage = (database: string, lostEvents: number | null): string =>
  `Database ${database} went back to an earlier state, because a standby has taken over or a backup was restored. ${
    lostEvents === null
      ? 'Its newest changes may be lost.'
      : `Events of the journal that are lost: ${lostEvents}.`
  } A new epoch of the journal begins.`

/** Prepares the data when a sandbox starts. Returns whether the seed was loaded. */
async function initialize(
  work: UnitOfWork,
  initialState: InitialState,
  clock: SandboxSettings['clock'],
): Promise<boolean> {
  const isNew = await initializeIfNew(work, initialState)
  await behaviors.applyStart(work.db, initialState.behaviors)
  await egressRules.applyStart(work.db, initialState.egressRules)
  if (!isNew && clock !== undefined) await setClock(work, { now: clock, mode: 'running' })
  await disconnectBrowsers(work)
  await disconnectAllExcept(work, [], 'the sandbox was stopped')
  await runDueJobs(work, work.now)
  return isNew
}

/** Empty with a public URL, because other machines use the public URL. */
const urlsForOthers = (publicUrl: string | undefined, others: readonly string[]): readonly string[] =>
  publicUrl === undefined || isLoopback(publicUrl) ? others : [publicUrl]

const REPEAT_AFTER_MS = 60_000

/** Prints failures. A failure of the database affects every call, so it is printed in one line, and at most once a minute. */
export function createErrorReport(print: (error: unknown) => void): (error: unknown) => void {
  const printedAt = new Map<string, number>()
  return (error) => {
    if (!(error instanceof DatabaseError)) return print(error)
    const now = performance.now()
    if (now - (printedAt.get(error.message) ?? -Infinity) < REPEAT_AFTER_MS) return undefined
    printedAt.set(error.message, now)
    return print(error.message)
  }
}
