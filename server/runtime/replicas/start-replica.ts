import { setTimeout as pause } from 'node:timers/promises'
import type { Gate } from '../../platform/http/gate.ts'
import type { App } from '../../platform/http/node-env.ts'
import { printableDatabase } from '../../platform/system/database-name.ts'
import { mayOpenLater, openTroubleOf, unusableError, unusableMessage } from '../../store/database-error.ts'
import type { Engine, ReplicaPlace } from '../../store/engine.ts'
import { openDatabase } from '../../store/open-database.ts'
import { troubleOf, type Role } from './current-role.ts'
import { createReplicaGate } from './replica-gate.ts'

/** How long requests may take to finish when this process stops. */
export const DRAIN_MS = 3_000
/** A replica that is stopping answers requests with 503 until none has arrived for this long. */
const LINGER_MS = 500
export const MAX_LINGER_MS = 5_000
const RETRY_MS = 250

/** The server of this process. It outlives each sandbox that this process runs. */
interface ReplicaServer {
  readonly port: number
  closeWebSockets(): void
  /** Refuses new connections. Open ones continue. */
  stopListening(): Promise<void>
  close(): Promise<void>
}

/** A sandbox that runs while this process leads. */
export interface Run {
  /** Begins no further webhook. Those that are underway may take `graceMs`. */
  finishWebhooks(graceMs: number): Promise<void>
  close(graceMs?: number): Promise<void>
}

interface ReplicaOptions<Running extends Run> {
  readonly db: string
  readonly version: string
  /** The certificate of all replicas, as PEM. */
  readonly certificate: string | undefined
  /** The options that must be equal in all replicas. */
  readonly agreement: Pick<ReplicaPlace, 'options' | 'objectionTo'>
  /** The address at which other replicas reach this process. */
  readonly urlAt: (port: number) => string
  readonly serve: (app: App, gate: Gate) => Promise<ReplicaServer>
  /** Answers the requests that a follower does not forward. */
  readonly followerApp: App
  /** Starts the sandbox. `isTakeover` if this process was a follower before. */
  readonly run: (
    engine: Engine,
    serveApp: (app: App) => Promise<{ readonly port: number; close(): Promise<void> }>,
    isTakeover: boolean,
    url: string,
  ) => Promise<Running>
  /** Prints a database failure, or a change of the leader. */
  readonly note: (what: unknown) => void
}

/**
 * Starts one of several processes that share a database. The leader runs the sandbox. The others forward requests to it, and wait
 * until they can lead. Resolves when this process leads, or knows the leader.
 */
export async function startReplica<Running extends Run>(options: ReplicaOptions<Running>) {
  const { db, version, certificate, followerApp } = options
  let app = followerApp
  let running: Running | undefined
  let database = 'PostgreSQL'
  const { gate, ...roles } = createReplicaGate({
    certificate,
    describe: (check) => describe(check, { version, database }, roles.role()),
    onTrouble: (trouble) => options.note(unusableError(printableDatabase(db), trouble)),
  })
  const server = await options.serve({ fetch: (request, env) => app.fetch(request, env) }, gate)
  const url = options.urlAt(server.port)
  const stopping = new AbortController()
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))

  async function serveApp(next: App) {
    app = next
    return {
      port: server.port,
      async close() {
        await roles.drain(DRAIN_MS)
        roles.abort()
        server.closeWebSockets()
      },
    }
  }

  /**
   * Becomes leader, and returns when another process leads or this process stops. `openDatabase` waits for the lock of the schema
   * (`store/postgres/leader.ts`), which is free once the connection of the previous leader has ended.
   */
  async function leadUntilLost(onStarted: () => void, isTakeover: boolean): Promise<void> {
    let isTakeoverNow = isTakeover
    let onLost!: () => void
    const lost = new Promise<void>((resolve) => (onLost = resolve))
    const engine = await openDatabase(db, {
      url,
      version,
      isTakeover,
      ...options.agreement,
      signal: stopping.signal,
      onLost,
      onWait(leader, name) {
        database = name
        isTakeoverNow = true
        if (stopping.signal.aborted) return
        const isKnown = leader !== undefined && leader.url !== null
        roles.setRole(
          isKnown ? { name: 'follower', url: leader.url!, version: leader.version } : { name: 'none' },
        )
        if (isKnown) onStarted()
      },
    })
    database = engine.name
    try {
      running = await options.run(engine, serveApp, isTakeoverNow, url)
    } catch (error) {
      // An open engine would keep the lock of the schema.
      await engine.close()
      throw error
    }
    if (!stopping.signal.aborted) roles.setRole({ name: 'leader', url, ...engine.leadership! })
    if (isTakeoverNow) options.note('This replica leads now.')
    onStarted()
    await Promise.race([lost, stopped])
    if (stopping.signal.aborted) return
    roles.setRole({ name: 'none' })
    options.note('Another replica leads now. This one forwards to it.')
    await running.close()
    running = undefined
    app = followerApp
  }

  async function takePart(onStarted: () => void): Promise<void> {
    let hasStarted = false
    const start = (): void => {
      hasStarted = true
      onStarted()
    }
    while (!stopping.signal.aborted) {
      try {
        await leadUntilLost(start, hasStarted)
      } catch (error) {
        if (stopping.signal.aborted) return
        if (!hasStarted || !mayOpenLater(error)) throw error
        roles.setRole({ name: 'none', trouble: openTroubleOf(error) })
        options.note(error)
        await pause(RETRY_MS)
      }
    }
  }

  let onStarted!: () => void
  const started = new Promise<void>((resolve) => (onStarted = resolve))
  const takingPart = takePart(onStarted)
  const failed = takingPart.then(() => new Promise<never>(() => undefined))
  failed.catch(() => undefined)

  async function end(graceMs: number): Promise<void> {
    stopping.abort()
    // After this, the leader refuses requests, including those that its webhooks make to its own tunnels. The next leader sends the rest.
    await running?.finishWebhooks(graceMs)
    roles.setRole({ name: 'stopping' })
    await takingPart.catch(() => undefined)
    if (running) await running.close(graceMs)
    else await roles.drain(DRAIN_MS)
    // Keeps listening until followers know the next leader and load balancers avoid this replica. Closing the server would reset
    // connections that are not accepted yet.
    await roles.untilQuiet(LINGER_MS, MAX_LINGER_MS)
    await server.stopListening()
    await roles.untilQuiet(LINGER_MS, MAX_LINGER_MS)
    roles.close()
    await server.close()
  }
  let ending: Promise<void> | undefined
  const close = (graceMs = 0): Promise<void> => (ending ??= end(graceMs))

  try {
    await Promise.race([started, failed])
  } catch (error) {
    await close()
    throw error
  }
  return { port: server.port, role: roles.role, running: () => running, failed, close }
}

/** The response to a health check of a process that does not lead. */
function describe(
  check: 'health' | 'ready',
  about: { readonly version: string; readonly database: string },
  role: Role,
): { readonly status: number; readonly body: object } {
  const replica = { role: role.name, leader: 'url' in role ? role.url : null }
  const versions = role.name === 'follower' ? [about.version, role.version ?? about.version] : [about.version]
  if (check === 'health') return { status: 200, body: { status: 'ok', ...about, replica } }
  if (role.name === 'follower') {
    const all = [...new Set(versions)].toSorted()
    return { status: 200, body: { status: 'ready', ...about, replica: { ...replica, versions: all } } }
  }
  const trouble = troubleOf(role)
  const reason = trouble ? unusableMessage(trouble) : REASONS[role.name]
  return { status: 503, body: { status: 'failing', ...about, reason, replica } }
}

const REASONS = {
  leader: 'The database has to confirm that this replica still leads.',
  none: 'No replica leads at the moment.',
  stopping: 'This replica stops.',
}
