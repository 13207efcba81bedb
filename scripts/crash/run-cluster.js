import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { percentile } from '../bench/statistics.js'
import { createRandom } from '../random.js'
import { root } from '../run.js'
import { startPostgres } from '../start-postgres.js'
import { startBalancer } from './balancer.js'
import { checkCluster } from './check-cluster.js'
import { createExpectedState } from './expected-state.js'
import { followStreams } from './follow-streams.js'
import { createIncidents } from './incidents.js'
import { inTime } from './in-time.js'
import { loadThrough } from './load-through.js'
import { startReceivers } from './receivers.js'
import { createReplicas, freePorts } from './replicas.js'

const REPLICAS = 3
const STREAMS = 20
/** Small enough that retention removes events during the run. */
const KEEP = 4_000
const MAX_ANSWERS = 150

/** @typedef {import('./incidents.js').Incident} Incident */
/** @typedef {{ number: number, incident: Incident, ms: number, answers: number, unanswered: number, links: number }} Happened */
/** @typedef {{ incidents: readonly Happened[], answers: number, unanswered: number, links: number, withoutLeader: { p50: number, p99: number }, problems: string[], folder: string }} Result */

/**
 * Disturbs replicas under load again and again, and checks each time that nothing they answered is lost or wrong. The database is
 * read as a snapshot, so the checks are those of a sandbox on SQLite.
 *
 * @param {{ programs: string, incidents: readonly Incident[], seed: number, onIncident?: (happened: Happened) => void }} options
 *   `programs`: the folder of the programs of PostgreSQL
 * @returns {Promise<Result>}
 */
export async function runCluster({ programs, incidents, seed, onIncident = () => {} }) {
  const plan = createRandom(seed)
  const random = createRandom(seed + 1)
  const checkRandom = createRandom(seed + 2)
  const expected = createExpectedState()
  const { problems } = expected
  const folder = mkdtempSync(join(tmpdir(), 'paylink-cluster-'))
  const server = await startPostgres(programs, { isDurable: true })
  const ports = await freePorts(REPLICAS)
  const balancer = await startBalancer(ports)
  const receivers = await startReceivers()
  const { connectSandbox } = await import(pathToFileURL(join(root, 'dist', 'server', 'index.js')).href)
  const basics = ['--db', server.url, '--public-url', balancer.url, '--keep', String(KEEP), '--quiet']
  const replicas = createReplicas(ports, {
    args: [...basics, '--behavior', 'retries=1s,1s'],
    cwd: folder,
    problems,
  })
  const cause = createIncidents(replicas, server)
  /** @type {{ close(): Promise<void>, tunnels: { listen(options: object): Promise<unknown> } } | undefined} */
  let handle
  /** @type {ReturnType<typeof followStreams> | undefined} */
  let streams
  /** @type {Happened[]} */
  const all = []

  try {
    await replicas.startAll()
    handle = /** @type {NonNullable<typeof handle>} */ (await connectSandbox(balancer.url))
    await handle.tunnels.listen({ tunnel: 'crash', forwardTo: `${receivers.origin}/listened` })
    // A stream through the balancer continues at another replica.
    const urls = [...ports.map((port) => `http://127.0.0.1:${port}`), balancer.url]
    streams = followStreams(
      Array.from({ length: STREAMS }, (_nothing, index) => urls[index % urls.length] ?? ''),
      expected,
    )
    const load = { expected, random, origin: receivers.origin, url: balancer.url }
    const known = { expected, receivers, url: balancer.url, keep: KEEP, random: checkRandom }
    for (const [index, incident] of incidents.entries()) {
      const leader = await inTime(replicas.findLeader(), 'No replica leads.')
      const answersBefore = 1 + plan.below(MAX_ANSWERS)
      const hanging = `The replicas hang after this incident: ${incident}.`
      const ms = await loadThrough(load, answersBefore, () => cause[incident](leader), hanging)
      const isSettled = index === incidents.length - 1
      await checkCluster({ ...known, isSettled }, streams, folder)
      const { answers, unanswered } = expected
      const links = expected.links().length
      const happened = { number: index + 1, incident, ms, answers, unanswered, links }
      all.push(happened)
      onIncident(happened)
      if (problems.length > 0) break
    }
  } catch (error) {
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    streams?.close()
    await handle?.close()
    await replicas.killAll()
    balancer.close()
    await receivers.close()
    server.stop()
    if (problems.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const waits = all.map(({ ms }) => Math.round(ms))
  return {
    incidents: all,
    answers: expected.answers,
    unanswered: expected.unanswered,
    links: expected.links().length,
    withoutLeader: { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) },
    problems,
    folder,
  }
}
