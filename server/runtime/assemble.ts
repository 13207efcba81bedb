import type { AssumptionName } from '../domain/behaviors/open-points.ts'
import type { ConfirmedPoints } from '../domain/behaviors/behavior.ts'
import type { CalibrationFile } from '../contract/schemas/calibration.ts'
import { fileURLToPath } from 'node:url'
import { documentedErrors } from '../service/api/document/documented-errors.evaluated.ts'
import { createApp } from './app.ts'
import { createClockMover } from '../service/clock/clock-mover.ts'
import type { SandboxSettings } from './config/read-options.ts'
import { createRunTally } from '../domain/events/run-report.ts'
import { tunnelTimeoutMs } from '../domain/webhooks/limits.ts'
import { whyNeverSent } from '../service/egress/egress-policy.ts'
import { createOwnPathResolver } from '../platform/http/own-path.ts'
import { createPlanRunner } from '../service/webhooks/plan-runner.ts'
import type { Engine } from '../store/engine.ts'
import * as clocks from '../store/repositories/clock.ts'
import { Store } from '../store/store.ts'
import { runsInContainer } from '../platform/system/in-container.ts'
import { version } from '../platform/system/version.ts'
import { createListenerRegistry } from '../service/tunnels/listener-registry.ts'
import { createDispatcher } from '../service/webhooks/dispatcher.ts'
import type { App } from '../platform/http/node-env.ts'
import { createMetrics } from './metrics.ts'
import { createReadiness } from './readiness.ts'
import { createControlFunctions } from './control-functions.ts'
import { createOwnRequests } from './own-requests.ts'
import type { PreparedFiles } from './prepare.ts'
import { createOutbound } from './outbound.ts'

/** Values that change while a sandbox starts, runs and stops. */
export interface Progress {
  /** The port in use; until the server listens, the configured port. */
  port: number
  origin: string
  phase: 'starting' | 'ready' | 'stopping' | 'stopped'
}

/** Builds the parts of a sandbox on an open database. Starts and serves nothing yet. */
export async function assemble(
  settings: SandboxSettings,
  { initialState, calibration, certificate }: PreparedFiles,
  database: Engine,
  progress: Progress,
  onError: (error: unknown) => void,
  replicaUrl: string | undefined,
) {
  const { host, db, publicUrl, adminToken, deliveryTimeoutMs, isInContainer = runsInContainer() } = settings
  const cert = certificate?.cert
  const port = () => progress.port
  const origin = () => progress.origin
  const ownPath = createOwnPathResolver({ host, publicUrl, origin })

  const store = new Store(
    database,
    settings.now,
    onError,
    await clocks.read(database.db),
    calibration && confirmedIn(calibration),
  )
  reportDiagnostics(store, settings.onDiagnostic)
  const outbound = createOutbound(store, settings, { origin, port, ownPath, isInContainer, cert })
  const { addressOf, checkEgress, post, openFetchApp } = outbound
  const dispatcher = createDispatcher(store, {
    checkEgress,
    post,
    addressOf,
    ownPath,
    isInContainer,
    onError,
  })
  const { sendStarted } = dispatcher
  const planRunner = createPlanRunner(store, { sendStarted, openFetchApp, addressOf, onError })
  const listeners = createListenerRegistry({
    store,
    heartbeatMs: settings.listenerHeartbeatMs,
    answerTimeoutMs: tunnelTimeoutMs(deliveryTimeoutMs),
    isPersistent: db !== ':memory:',
    onError,
  })
  const upstream = await openUpstream(settings)
  const mover = createClockMover(store, dispatcher)
  const tally = createRunTally(settings.now().toISOString(), documentedErrors)

  const ownRequests = createOwnRequests((): App => app)
  const self = { origin, version, upstream: upstream?.origin ?? null, fetch: ownRequests.fetch }

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
    metrics: createMetrics({ store, database, dispatcher, version }),
    readiness: createReadiness(store, database, () => progress.phase === 'ready', version),
    streamHeartbeatMs: settings.streamHeartbeatMs,
    checkEgress: outbound.checkTarget,
    whyHostIsNeverAllowed: whyNeverSent,
    probe: outbound.probe,
    isOwnRequest: ownRequests.isOwn,
    ...createControlFunctions(store, openFetchApp, self, onError),
    isInContainer,
    moveClock: mover.move,
    runReport: tally.report,
    planRunner,
    listeners,
    inspector: built('ui'),
    reportShell: built('report/index.html'),
    onError,
  })
  return {
    app,
    store,
    outbound,
    dispatcher,
    planRunner,
    listeners,
    upstream,
    mover,
    tally,
    origin,
    isInContainer,
    ownRequests,
  }
}

/** Passes each diagnostic to a function, with the event that it is about. */
function reportDiagnostics(store: Store, onDiagnostic: SandboxSettings['onDiagnostic']): void {
  store.eventBus.subscribe((recorded) => {
    for (const event of recorded) {
      if (event.type !== 'diagnostic.found') continue
      // Finds the event that the diagnostic is about, which belongs to the same unit of work. If the unit of work also contains a
      // reset, two events can have the same `seq`. The last one before the diagnostic is meant.
      const about = recorded.slice(0, recorded.indexOf(event)).findLast(({ seq }) => seq === event.eventSeq)
      onDiagnostic?.(event, about)
    }
  })
}

/** The connection to the real service. Its code is loaded only if `--upstream` is set, because few sandboxes use it. */
async function openUpstream({ upstream: address, allowProductionKey, upstreamTimeoutMs }: SandboxSettings) {
  if (address === undefined) return undefined
  const { createUpstream } = await import('../service/egress/upstream.ts')
  return createUpstream({ address, allowProductionKey, timeoutMs: upstreamTimeoutMs })
}

/** The path of built pages: next to this file if the server itself is built, otherwise in `dist`. */
function built(path: string): string {
  const isBuilt = /\/dist\/server\/[^/]+$/.test(import.meta.url)
  return fileURLToPath(new URL(`${isBuilt ? '..' : '../../dist'}/${path}`, import.meta.url))
}

/** The open points that a result of `calibrate` confirms. */
const confirmedIn = ({ points }: CalibrationFile): ConfirmedPoints =>
  new Map(
    Object.entries(points).flatMap(([name, point]) =>
      point.verdict === 'confirmed' ? [[name as AssumptionName, point.value] as const] : [],
    ),
  )
