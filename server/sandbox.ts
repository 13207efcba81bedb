import { TUNNEL_ANSWER_TIMEOUT_MS } from './domain/webhooks/limits.ts'
import type { Certificate } from './tls/certificate.ts'
import type { Account } from './domain/accounts/account.ts'
import type { EgressRules } from './domain/network/egress-rules.ts'
import { type RunReport, createRunTally } from './domain/events/run-report.ts'
import type { SandboxOptions } from './config/options.ts'
import { checkMaps, checkUpstream, readSandboxOptions, type SandboxSettings } from './config/read-options.ts'
import { isClientAbort } from './http/read-body.ts'
import { describeFailure, databaseTroubleOf, openError, DatabaseError } from './store/database-error.ts'
import { type InitialState, initializeIfNew } from './operations/state/reset.ts'
import { withStableIdentities } from './operations/accounts/draft-account.ts'
import { readSeed, seedError, sentence } from './config/seed-file.ts'
import { builtInSeed } from './config/built-in-seed.evaluated.ts'
import { printableDatabase } from './domain/state/database-name.ts'
import type { SeedInput } from './domain/state/seed-input.ts'
import { reachableHost, isLoopback } from './domain/network/loopback.ts'
import { confirmedIn, readCalibration } from './config/read-calibration.ts'
import type { CalibrationFile } from './contract/schemas/calibration.ts'
import { createOwnPathResolver, createTargetResolver } from './http/own-path.ts'
import { openCertificate } from './tls/open-certificate.ts'
import type { Engine } from './store/engine.ts'
import { openDatabase } from './store/open-database.ts'
import { Store } from './store/store.ts'
import * as clocks from './store/repositories/clock.ts'
import { createPost } from './egress/post.ts'
import { version } from './system/version.ts'
import { createEgressPolicy, whyNeverSent } from './egress/egress-policy.ts'
import * as egressRules from './store/repositories/egress-rules.ts'
import { runsInContainer } from './system/in-container.ts'
import { withContainerFallback } from './egress/container-fallback.ts'
import { createFindContainerHost } from './egress/container-host.ts'
import { createDispatcher } from './webhooks/dispatcher.ts'
import { createListenerRegistry } from './tunnels/server/listener-registry.ts'
import { createClockMover } from './clock/clock-mover.ts'
import { documentedErrors } from './api/document/possible-errors.ts'
import { createNotifyInTurn } from './notifications/notify-in-turn.ts'
import { createApp } from './app.ts'
import type { CallerRunOptions } from './caller-check/caller-run-options.ts'
import type { CheckRunOptions } from './receiver-check/check-run-options.ts'
import { watchClock } from './clock/clock-watcher.ts'
import { createRetention } from './store/retention.ts'
import type { App } from './http/node-env.ts'
import { serve } from './server.ts'
import type { Role } from './replicas/replica-gate.ts'
import * as behaviors from './store/repositories/behaviors.ts'
import { setClock } from './operations/clock/set-clock.ts'
import { dropWaitingRedirects } from './operations/webhooks/redirect.ts'
import { disconnectAllExcept } from './operations/tunnels/connect-listener.ts'
import { runDueJobs } from './operations/clock/run-due-jobs.ts'
import { noSubject } from './domain/links/subject.ts'
import { networkOrigins } from './http/own-addresses.ts'
import * as accounts from './store/repositories/accounts.ts'
import { fileURLToPath } from 'node:url'
import { ApiError } from './domain/api/api-error.ts'

/** A sandbox in this process. */
export interface RunningSandbox {
  readonly url: string
  readonly version: string
  /** The real environment that answers the calls. `null`: the sandbox does. */
  readonly upstream: string | null
  /** The addresses that other machines can use. Empty if only this machine reaches it, and in a container. */
  readonly urlsForOthers: readonly string[]
  /** The certificate that it serves https with. */
  readonly certificate: Certificate | undefined
  /** Whether this start loaded the seed. A database that was used before keeps its data. */
  readonly isNew: boolean
  /** The accounts, with their keys and tokens. */
  accounts(): Promise<Account[]>
  /** The maps and allowed hosts that are in force. */
  egressRules(): Promise<EgressRules>
  /** Resolves when no webhook is due or under way. */
  settled(): Promise<void>
  /** What was used and called since the start. */
  runReport(): RunReport
  /** Of several processes that share a database: what this one does, and the address of the one that leads. */
  readonly replica?: () => { readonly role: Role['name']; readonly leader: string | null }
  /** Rejects if one of several processes can neither lead nor follow. */
  readonly failed?: Promise<never>
  /** Stops the sandbox. Webhooks that are under way get `graceMs` to finish. A second call waits for the first one. */
  close(graceMs?: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Puts a complete sandbox together and starts it. Rejects with a `UsageError` if an option prevents that. */
export const runSandbox = async (options: SandboxOptions = {}): Promise<RunningSandbox> =>
  startWithSettings(readSandboxOptions(options))

/** Starts a sandbox with options that are checked already. */
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
  const replica = await startReplica({
    db,
    version,
    certificate: certificate?.cert,
    urlAt: (ownPort) => {
      const own = originOf(settings, ownPort)
      return replicaUrl ?? networkOrigins(host, own)[0] ?? own
    },
    serve: (app, gate) => serve(app, host, port, certificate, {}, gate),
    run: (engine, serveApp, isTakeover, url) =>
      // A takeover continues with the clock as it is.
      runOn({ ...settings, ...(isTakeover && { clock: undefined }) }, prepared, engine, serveApp, url),
    note: settings.onError ?? createErrorReport(console.error),
  })
  const own = originOf(settings, replica.port)
  const leading = replica.running
  return {
    url: own,
    urlsForOthers: urlsForOthers(publicUrl, isInContainer ? [] : networkOrigins(host, own)),
    version,
    upstream: settings.upstream ?? null,
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

interface Prepared {
  readonly initialState: InitialState
  readonly calibration: CalibrationFile | undefined
  readonly certificate: Certificate | undefined
}

/** Reads the files that options name, and rejects options that cannot work, before a database is opened. */
async function prepare(settings: SandboxSettings): Promise<Prepared> {
  const { host, port, db, seed, publicUrl, maps, allowedHosts } = settings
  const initialState: InitialState = {
    seed: withStableIdentities(seed === undefined ? builtInSeed : readSeed(seed)),
    behaviors: settings.behaviors,
    clock: settings.clock,
    egressRules: { maps, allowedHosts },
  }
  const ownPath = createOwnPathResolver({ host, publicUrl, origin: () => originOf(settings, port) })
  checkMaps(maps, ownPath)
  checkUpstream(settings.upstream, ownPath)
  if (seed !== undefined) await validateSeed(seed, initialState)
  return {
    initialState,
    calibration: settings.calibration === undefined ? undefined : readCalibration(settings.calibration),
    certificate: await openCertificate(settings, { db, host, publicUrl }),
  }
}

const originOf = ({ host, tls, tlsCert }: SandboxSettings, port: number): string =>
  `${tls || tlsCert !== undefined ? 'https' : 'http'}://${reachableHost(host)}:${port}`

/** Puts a sandbox together on an open database, and serves it. `replicaUrl` is its address among several processes. */
async function runOn(
  settings: SandboxSettings,
  { initialState, calibration, certificate }: Prepared,
  database: Engine,
  serveApp: (app: App) => Promise<{ readonly port: number; close(): Promise<void> }>,
  replicaUrl?: string,
): Promise<RunningSandbox> {
  const { host, db, publicUrl, adminToken, deliveryTimeoutMs } = settings
  const report = settings.onError ?? createErrorReport(console.error)
  // A request that the client or the end of the sandbox aborted is no failure.
  const onError = (error: unknown): void => {
    if (!isEnded && !isClientAbort(error)) report(describeFailure(printableDatabase(db), error))
  }
  let { port } = settings
  const origin = () => originOf(settings, port)
  const ownPath = createOwnPathResolver({ host, publicUrl, origin })
  const store = new Store(
    database,
    settings.now,
    onError,
    await clocks.read(database.db),
    calibration && confirmedIn(calibration),
  )
  let isEnded = false
  store.eventBus.subscribe((recorded) => {
    for (const event of recorded) {
      if (event.type !== 'diagnostic.found') continue
      // Finds the event of the diagnostic: both were recorded in one unit of work. If that unit also contains a
      // reset, two events can have this `seq`, so the nearest one counts.
      const about = recorded.slice(0, recorded.indexOf(event)).findLast(({ seq }) => seq === event.eventSeq)
      settings.onDiagnostic?.(event, about)
    }
  })

  let isReady = false
  let isNew = false
  const addressOf = createTargetResolver(ownPath, origin)
  const certificateFor = ({ origin: asked }: URL) => (asked === origin() ? certificate?.cert : undefined)
  const poster = createPost({
    timeoutMs: deliveryTimeoutMs,
    userAgent: `paylink-sandbox/${version}`,
    certificateFor,
  })
  const checkEgress = createEgressPolicy(
    async () => (await egressRules.read(store.db)).allowedHosts,
    settings.lookup,
    (url) => url.origin === origin(),
  )
  const { isInContainer = runsInContainer() } = settings
  const post = isInContainer
    ? withContainerFallback(poster.post, createFindContainerHost(checkEgress), () => port)
    : poster.post
  const dispatcher = createDispatcher(store, {
    checkEgress,
    post,
    addressOf,
    ownPath,
    isInContainer,
    onError,
  })
  const listeners = createListenerRegistry({
    store,
    heartbeatMs: settings.listenerHeartbeatMs,
    answerTimeoutMs: Math.min(TUNNEL_ANSWER_TIMEOUT_MS, 0.9 * deliveryTimeoutMs),
    isPersistent: db !== ':memory:',
    onError,
  })
  const upstream = await openUpstream(settings)
  const mover = createClockMover(store, dispatcher)
  const tally = createRunTally(settings.now().toISOString(), documentedErrors)
  /** A handle of this sandbox. */
  const openSelf = async () => {
    const { connectSandbox } = await import('./client/connect-sandbox.ts')
    return connectSandbox(origin(), { adminToken, certificate: certificate?.cert })
  }
  /** Requests pages of an app under test. */
  const openFetchApp = async () => {
    const { createRestrictedFetch } = await import('./egress/restricted-fetch.ts')
    return createRestrictedFetch({ checkEgress, timeoutMs: deliveryTimeoutMs, certificateFor })
  }
  const app = createApp({
    store,
    upstream,
    database: database.name,
    snapshots: database.snapshots,
    initialState,
    calibration,
    version,
    host,
    origin,
    ownPath,
    publicUrl,
    adminToken,
    tunnelTokens: Object.entries(settings.tunnelTokens).map(([team, token]) => ({ team, token })),
    replica:
      replicaUrl === undefined || !database.leadership
        ? undefined
        : { url: replicaUrl, followers: database.leadership.followers },
    sessionKey: database.sessionKey,
    readiness: () => (isReady ? (database.trouble() ?? 'ready') : 'starting'),
    streamHeartbeatMs: settings.streamHeartbeatMs,
    checkEgress: (target, isForged = false) =>
      checkEgress(addressOf(target) ?? new URL(target), { released: false, isForged }),
    whyHostIsNeverAllowed: whyNeverSent,
    probe: async (to, webhook, signal) => {
      const url = addressOf(to) ?? new URL(to)
      const verdict = await checkEgress(url, { released: false, isForged: true })
      if (verdict.verdict !== 'send') return { heldReason: verdict.reason }
      return post(url, verdict.addresses, webhook, signal)
    },
    checkReceiver: async (receiver, run) => {
      await using self = await openSelf()
      const checked: CheckRunOptions = { ...run, fetchApp: await openFetchApp() }
      return await self.check(receiver, checked)
    },
    checkCaller: async (orderUrl, run) => {
      await using self = await openSelf()
      const checked: CallerRunOptions = { ...run, fetchApp: await openFetchApp() }
      return await self.checkCaller(orderUrl, checked)
    },
    playSampleStory: async (accountId) => {
      const { loadSampleStory } = await import('./client/sample-story.ts')
      await using self = await openSelf()
      return await loadSampleStory(self, accountId, certificate?.cert)
    },
    importCalls: async (har, options) => {
      const { importCalls } = await import('./api/upstream/import-calls.ts')
      return importCalls(store, har, options, onError)
    },
    isInContainer,
    moveClock: mover.move,
    runReport: tally.report,
    releaseWebhooks: dispatcher.release,
    notifyInTurn: createNotifyInTurn(store, { release: dispatcher.release, openFetchApp, addressOf }),
    listeners,
    inspector: built('ui'),
    reportShell: built('report/index.html'),
    onError,
  })
  let watch: ReturnType<typeof watchClock> | undefined
  let retention: ReturnType<typeof createRetention> | undefined
  let server: Awaited<ReturnType<typeof serveApp>> | undefined

  async function end(graceMs: number): Promise<void> {
    isReady = false
    watch?.stop()
    mover.stop()
    await dispatcher.stop(graceMs)
    await upstream?.close()
    isEnded = true
    listeners.stop()
    await server?.close()
    await poster.close()
    await retention?.stop()
    await store.idle()
    await database.close()
    await certificate?.dispose()
  }
  let ending: Promise<void> | undefined
  const close = (graceMs = 0): Promise<void> => (ending ??= end(graceMs))

  try {
    await store.transact(async (work) => {
      isNew = await initializeIfNew(work, initialState)
      await behaviors.applyStart(work.db, initialState.behaviors)
      await egressRules.applyStart(work.db, initialState.egressRules)
      if (!isNew && settings.clock !== undefined) {
        await setClock(work, { now: settings.clock, mode: 'running' })
      }
      await dropWaitingRedirects(work)
      await disconnectAllExcept(work, [], 'the sandbox was stopped')
      await runDueJobs(work, work.now)
    })
    // Subscribes after the seed was loaded, so that the run report leaves out the seed's events.
    store.eventBus.subscribe(tally.count)
    server = await serveApp(app)
    port = server.port
    await store.transact((work) => work.record({ type: 'sandbox.started', ...noSubject, version }))
    await dispatcher.start()
    watch = watchClock(store, dispatcher, onError)
    if (settings.keep > 0) retention = createRetention(store, settings.keep, onError)
    isReady = true
  } catch (error) {
    await close()
    const trouble = databaseTroubleOf(error)
    throw trouble === undefined ? error : openError(printableDatabase(db), trouble, error)
  }
  return {
    url: origin(),
    urlsForOthers: urlsForOthers(publicUrl, isInContainer ? [] : networkOrigins(host, origin())),
    version,
    upstream: upstream?.origin ?? null,
    certificate,
    isNew,
    accounts: () => accounts.list(store.db),
    egressRules: () => egressRules.read(store.db),
    settled: dispatcher.settled,
    runReport: tally.report,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** If there is a public URL, others use that. */
const urlsForOthers = (publicUrl: string | undefined, others: readonly string[]): readonly string[] =>
  publicUrl === undefined || isLoopback(publicUrl) ? others : [publicUrl]

const REPEAT_AFTER_MS = 60_000

/** Prints failures. A failure of the database is one line, at most once a minute, because every call meets it. */
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

/** The connection to the real environment, if there is one. Few sandboxes have one, so its code is loaded only then. */
async function openUpstream({ upstream: origin, allowProductionKey, upstreamTimeoutMs }: SandboxSettings) {
  if (origin === undefined) return undefined
  const { createUpstream } = await import('./egress/upstream.ts')
  return createUpstream({ origin, allowProductionKey, timeoutMs: upstreamTimeoutMs })
}

/** The path of built pages. They are beside the built server. The sources find them in `dist`. */
function built(path: string): string {
  const isBuilt = /\/dist\/server\/[^/]+$/.test(import.meta.url)
  return fileURLToPath(new URL(`${isBuilt ? '..' : '../dist'}/${path}`, import.meta.url))
}

/** Loads a seed into a database in memory first, so that an invalid one is rejected before anything changes. */
async function validateSeed(given: SeedInput | string, initialState: InitialState): Promise<void> {
  const database = await openDatabase(':memory:')
  try {
    const store = new Store(
      database,
      () => new Date(),
      () => undefined,
    )
    await store.transact((work) => initializeIfNew(work, initialState))
  } catch (error) {
    throw error instanceof ApiError ? seedError(given, sentence(error.message)) : error
  } finally {
    await database.close()
  }
}
