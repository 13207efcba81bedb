import type { Certificate } from './tls/certificate.ts'
import type { Account } from './domain/accounts/account.ts'
import type { EgressRules } from './domain/network/egress-rules.ts'
import { type RunReport, createRunTally } from './domain/events/run-report.ts'
import type { SandboxOptions } from './config/sandbox-options.ts'
import { KEEP, refuseUselessMaps } from './config/parse-values.ts'
import { refuseExposed, refuseUnasked, refuseOverlap } from './config/exposure.ts'
import { isClientAbort } from './http/read-body.ts'
import {
  explainFailure,
  databaseTroubleOf,
  openError,
  DatabaseProblem,
} from './store/sqlite/database-error.ts'
import { type InitialState, initializeIfNew } from './operations/state/reset.ts'
import { withStableIdentities } from './operations/accounts/draft-account.ts'
import { readSeed, unusable, sentence } from './config/seed-file.ts'
import builtInSeed from '../fixtures/seed.json' with { type: 'json' }
import type { SeedInput } from './domain/state/seed-input.ts'
import { normalizeMap } from './domain/network/origin-map.ts'
import { parseHostPattern } from './domain/network/allowed-host.ts'
import { reachableHost, isLoopback } from './domain/network/loopback.ts'
import { createOwnPathResolver, createTargetResolver } from './http/own-path.ts'
import { openCertificate } from './tls/open-certificate.ts'
import { openDatabase } from './store/open-database.ts'
import { Store } from './store/store.ts'
import * as clocks from './store/repositories/clock.ts'
import { createLazyPost } from './egress/lazy-post.ts'
import { version } from './system/version.ts'
import { createEgressPolicy, whyNeverSent } from './egress/egress-policy.ts'
import * as egressRules from './store/repositories/egress-rules.ts'
import { runsInContainer } from './system/in-container.ts'
import { withContainerFallback } from './egress/container-fallback.ts'
import { createFindContainerHost } from './egress/container-host.ts'
import { createDispatcher } from './webhooks/dispatcher.ts'
import { createListeners } from './tunnels/server/listeners.ts'
import { createClockMover } from './clock/clock-mover.ts'
import { documentedErrors } from './api/document/documented-errors.ts'
import { createApp } from './app.ts'
import type { CheckRunOptions } from './receiver-check/check-run-options.ts'
import { watchClock } from './clock/clock-watcher.ts'
import { createRetention } from './store/retention.ts'
import { serve } from './server.ts'
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
  /** Where others reach it, none where only this machine does or that is known outside of its container alone. */
  readonly urlsForOthers: readonly string[]
  /** What it serves https with. */
  readonly certificate: Certificate | undefined
  /** Whether it was planted at this start. A database that was used before keeps what it has. */
  readonly isNew: boolean
  /** The accounts there are, with their keys and tokens. */
  accounts(): Promise<Account[]>
  /** Where notifications may leave to as things are. */
  outlets(): Promise<EgressRules>
  /** Waits until nothing is due and nothing is underway. */
  settled(): Promise<void>
  /** What has been relied on and touched since it was started. */
  run(): RunReport
  /** Ends it, after giving deliveries that are underway some time. Calling it again waits for the same end. */
  close(graceMs?: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const DELIVERY_TIMEOUT_MS = 10_000

/** A follower that hears nothing for twice as long may take the connection for dead. */
const ALIVE_EVERY_MS = 15_000

/** A connection that is cut or frozen is noticed within two. */
const HEARTBEAT_MS = 5_000

/** The courier gives up after 10 s, and is to be told before why nobody answered. */
const ANSWER_WITHIN_MS = 9_000

/** Puts a complete sandbox together and starts it. */
export async function runSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { host = '127.0.0.1', allowedHosts = [], maps = {}, keep = KEEP } = options
  refuseExposed(host, options.adminToken)
  const teams = Object.keys(options.tunnelTokens ?? {})
  if (teams.length > 0) refuseUnasked('tunnelTokens', options.adminToken)
  refuseOverlap(teams)
  const { db = ':memory:' } = options
  const report = options.onError ?? createErrorReport(console.error)
  // What was cut off, by the end or by whoever asked, is no failure.
  const onError = (error: unknown): void => {
    if (!isEnded && !isClientAbort(error)) report(explainFailure(db, error))
  }
  const beginning: InitialState = {
    seed: withStableIdentities(readSeed(options.seed ?? (builtInSeed as SeedInput))),
    behaviors: options.behaviors ?? {},
    clock: options.clock,
    egressRules: {
      maps: Object.entries(maps).map(([from, to]) => normalizeMap({ from, to })),
      allowedHosts: allowedHosts.map((given) => parseHostPattern(given) ?? given),
    },
  }
  const scheme = options.tls || options.tlsCert !== undefined ? 'https' : 'http'
  let port = options.port ?? 0
  const origin = () => `${scheme}://${reachableHost(host)}:${port}`
  const ownPath = createOwnPathResolver({ host, publicUrl: options.publicUrl, origin })
  refuseUselessMaps(beginning.egressRules.maps, ownPath)
  if (options.seed !== undefined) await trySeed(options.seed, beginning)
  const certificate = await openCertificate(options, { db, host, publicUrl: options.publicUrl })
  const database = await openDatabase(db)
  const machine = options.now ?? (() => new Date())
  const store = new Store(database.db, machine, onError, await clocks.read(database.db))
  let isEnded = false
  store.feed.subscribe((recorded) => {
    for (const event of recorded) {
      if (event.type !== 'diagnostic.found') continue
      // Both are of one unit of work. A reset in the same commit numbers anew, so it is the nearest before.
      const about = recorded.slice(0, recorded.indexOf(event)).findLast(({ seq }) => seq === event.eventSeq)
      options.onDiagnostic?.(event, about)
    }
  })
  const { deliveryTimeoutMs = DELIVERY_TIMEOUT_MS } = options

  let isReady = false
  let isNew = false
  const addressOf = createTargetResolver(ownPath, origin)
  const certificateFor = ({ origin: asked }: URL) => (asked === origin() ? certificate?.cert : undefined)
  const poster = createLazyPost({
    timeoutMs: deliveryTimeoutMs,
    userAgent: `paylink-sandbox/${version}`,
    certificateFor,
  })
  const guard = createEgressPolicy(
    async () => (await egressRules.read(store.db)).allowedHosts,
    options.lookup,
    (url) => url.origin === origin(),
  )
  const { isInContainer = runsInContainer() } = options
  const post = isInContainer
    ? withContainerFallback(poster.post, createFindContainerHost(guard), () => port)
    : poster.post
  const dispatcher = createDispatcher(store, {
    checkEgress: guard,
    post,
    addressOf,
    ownPath,
    isInContainer,
    onError,
  })
  const listeners = createListeners({
    store,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    answerTimeoutMs: Math.min(ANSWER_WITHIN_MS, 0.9 * deliveryTimeoutMs),
    isPersistent: db !== ':memory:',
    onError,
  })
  const mover = createClockMover(store, dispatcher)
  const tally = createRunTally(machine().toISOString(), documentedErrors)
  const app = createApp({
    store,
    snapshots: database.snapshots,
    beginning,
    version,
    host,
    origin,
    ownPath,
    publicUrl: options.publicUrl,
    adminToken: options.adminToken,
    tunnelTokens: Object.entries(options.tunnelTokens ?? {}).map(([team, token]) => ({ team, token })),
    readiness: () => (isReady ? (database.trouble() ?? 'ready') : 'starting'),
    streamHeartbeatMs: options.aliveEveryMs ?? ALIVE_EVERY_MS,
    checkEgress: (target, isForged = false) =>
      guard(addressOf(target) ?? new URL(target), { released: false, isForged }),
    whyHostIsNeverAllowed: whyNeverSent,
    probe: async (to, webhook, signal) => {
      const url = addressOf(to) ?? new URL(to)
      const verdict = await guard(url, { released: false, isForged: true })
      if (verdict.verdict !== 'send') return { heldReason: verdict.reason }
      return post(url, verdict.addresses, webhook, signal)
    },
    checkReceiver: async (receiver, run) => {
      const { connectSandbox } = await import('./client/connect-sandbox.ts')
      const { createRestrictedFetch: createAsk } = await import('./egress/restricted-fetch.ts')
      const ask = createAsk({ checkEgress: guard, timeoutMs: deliveryTimeoutMs, certificateFor })
      await using self = await connectSandbox(origin(), {
        adminToken: options.adminToken,
        certificate: certificate?.cert,
      })
      const asked: CheckRunOptions = { ...run, fetchApp: ask }
      return await self.check(receiver, asked)
    },
    isInContainer,
    moveClock: mover.move,
    runReport: tally.report,
    letOut: dispatcher.release,
    listeners,
    inspector: built('ui'),
    reportShell: built('report/index.html'),
    onError,
  })
  let watch: ReturnType<typeof watchClock> | undefined
  let retention: ReturnType<typeof createRetention> | undefined
  let server: Awaited<ReturnType<typeof serve>> | undefined

  async function end(graceMs: number): Promise<void> {
    isReady = false
    watch?.stop()
    mover.stop()
    await dispatcher.stop(graceMs)
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
      isNew = await initializeIfNew(work, beginning)
      await behaviors.applyStart(work.db, beginning.behaviors)
      await egressRules.applyStart(work.db, beginning.egressRules)
      if (!isNew && options.clock !== undefined) {
        await setClock(work, { now: options.clock, mode: 'running' })
      }
      await dropWaitingRedirects(work)
      await disconnectAllExcept(work, [], 'the sandbox was stopped')
      await runDueJobs(work, work.now)
    })
    // What was planted until here is nobody's doing.
    store.feed.subscribe(tally.count)
    server = await serve(app, host, port, certificate)
    port = server.port
    await store.transact((work) => work.record({ type: 'sandbox.started', ...noSubject, version }))
    await dispatcher.start()
    watch = watchClock(store, dispatcher, onError)
    if (keep > 0) retention = createRetention(store, keep, onError)
    isReady = true
  } catch (error) {
    await close()
    const trouble = databaseTroubleOf(error)
    throw trouble === undefined ? error : openError(db, trouble)
  }
  return {
    url: origin(),
    urlsForOthers: urlsForOthers(options.publicUrl, isInContainer ? [] : networkOrigins(host, origin())),
    version,
    certificate,
    isNew,
    accounts: () => accounts.list(store.db),
    outlets: () => egressRules.read(store.db),
    settled: dispatcher.settled,
    run: tally.report,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** A public URL is where they are meant to come by. */
const urlsForOthers = (publicUrl: string | undefined, others: readonly string[]): readonly string[] =>
  publicUrl === undefined || isLoopback(publicUrl) ? others : [publicUrl]

const REPEAT_AFTER_MS = 60_000

/**
 * Passes on failures for printing. A problem with the database becomes one line, at most once a minute, because every call meets it.
 */
export function createErrorReport(print: (error: unknown) => void): (error: unknown) => void {
  const told = new Map<string, number>()
  return (error) => {
    if (!(error instanceof DatabaseProblem)) return print(error)
    const now = performance.now()
    if (now - (told.get(error.message) ?? -Infinity) < REPEAT_AFTER_MS) return undefined
    told.set(error.message, now)
    return print(error.message)
  }
}

/** The built pages lie beside the built server, which the sources of both are not. */
function built(path: string): string {
  const isBuilt = /\/dist\/server\/[^/]+$/.test(import.meta.url)
  return fileURLToPath(new URL(`${isBuilt ? '..' : '../dist'}/${path}`, import.meta.url))
}

/** Plants a seed where nobody sees it, so that one that cannot be planted is refused before anything is touched. */
export async function trySeed(given: SeedInput | string, beginning: InitialState): Promise<void> {
  const database = await openDatabase(':memory:')
  try {
    const store = new Store(
      database.db,
      () => new Date(),
      () => undefined,
    )
    await store.transact((work) => initializeIfNew(work, beginning))
  } catch (error) {
    throw error instanceof ApiError ? unusable(given, sentence(error.message)) : error
  } finally {
    await database.close()
  }
}
