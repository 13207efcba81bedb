import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
// @ts-ignore - The package has no types.
import pg from 'pg'
import { percentile } from '../bench/statistics.js'
import { createRandom } from '../random.js'
import { root } from '../run.js'
import { freePort, spawnSandbox } from '../spawn-sandbox.js'
import { startPostgres } from '../start-postgres.js'
import { withTimeout } from '../with-timeout.js'
import { startBalancer } from './balancer.js'
import { createCaller } from './caller.js'
import { checkDatabase } from './check-database.js'
import { createExpectedState } from './expected-state.js'
import { followStreams } from './follow-streams.js'
import { makePayments } from './load.js'
import { startReceivers } from './receivers.js'
import { settle } from './settle.js'

const REPLICAS = 3
const STREAMS = 20
/** Small enough that retention removes events during the run. */
const KEEP = 4_000
const MAX_ANSWERS = 150
const ANSWERS_AFTERWARDS = 50
/** Longer than the database keeps the connection of a silent process. */
const FREEZE_MS = 8_000
/** Much longer than anything takes, even on a busy machine. */
const TIMEOUT_MS = 120_000
const POLL_INTERVAL_MS = 20

/** What happens to the replicas, and how often for each 20 kills of the leader. */
const INCIDENTS = /** @type {const} */ ([
  ['kill', 20],
  ['stop', 4],
  ['restart all in turn', 1],
  ['kill a follower', 4],
  ['freeze', 2],
  ['cut the connection', 4],
  ['restart PostgreSQL', 1],
])

/** @typedef {typeof INCIDENTS[number][0]} Incident */
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
  /** @type {number[]} */
  const ports = []
  for (let index = 0; index < REPLICAS; index++) ports.push(await freePort())
  const balancer = await startBalancer(ports)
  const receivers = await startReceivers()
  const { connectSandbox } = await import(pathToFileURL(join(root, 'dist', 'server', 'index.js')).href)
  /** @type {{ close(): Promise<void>, tunnels: { listen(options: object): Promise<unknown> } } | undefined} */
  let handle
  /** @type {ReturnType<typeof followStreams> | undefined} */
  let streams
  /** @type {Map<number, ReturnType<typeof spawnSandbox>>} */
  const replicas = new Map()
  /** @type {Happened[]} */
  const all = []

  /** @type {(port: number) => Promise<void>} */
  async function start(port) {
    const basics = ['--replicas', '--port', String(port), '--db', server.url, '--public-url', balancer.url]
    const args = [...basics, '--keep', String(KEEP), '--quiet', '--behavior', 'retries=1s,1s']
    const replica = spawnSandbox(args, { cwd: folder })
    replicas.set(port, replica)
    const url = await withTimeout(replica.ready, TIMEOUT_MS, 'A replica does not start in time.')
    if (url === undefined) throw new Error(`A replica did not start: ${replica.errors.join(' ')}`)
  }

  /** @type {(port: number) => Promise<void>} */
  async function restart(port) {
    const code = await replicas.get(port)?.end('SIGTERM')
    if (code !== 0) problems.push(`A replica that was told to stop exited with ${code}.`)
    await start(port)
  }

  /** @type {() => Promise<number>} the port of the replica that leads */
  async function findLeader() {
    for (;;) {
      for (const port of ports) {
        const signal = AbortSignal.timeout(1_000)
        const answer = await fetch(`http://127.0.0.1:${port}/_sandbox/health`, { signal }).catch(() => null)
        /** @type {any} */
        const health = await answer?.json().catch(() => undefined)
        if (health?.replica?.role === 'leader') return port
      }
      await pause(POLL_INTERVAL_MS)
    }
  }

  /** @type {Readonly<Record<Incident, (leader: number) => Promise<void>>>} */
  const cause = {
    async kill(leader) {
      await replicas.get(leader)?.end('SIGKILL')
      await start(leader)
    },
    stop: restart,
    async 'restart all in turn'() {
      for (const port of ports) await restart(port)
    },
    async 'kill a follower'(leader) {
      const port = ports.find((other) => other !== leader) ?? leader
      await replicas.get(port)?.end('SIGKILL')
      await start(port)
    },
    async freeze(leader) {
      const child = replicas.get(leader)?.child
      child?.kill('SIGSTOP')
      await pause(FREEZE_MS)
      child?.kill('SIGCONT')
    },
    async 'cut the connection'() {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted`,
      )
      await client.end()
    },
    async 'restart PostgreSQL'() {
      server.restart()
    },
  }

  try {
    for (const port of ports) await start(port)
    handle = /** @type {NonNullable<typeof handle>} */ (await connectSandbox(balancer.url))
    await handle.tunnels.listen({ tunnel: 'crash', forwardTo: `${receivers.origin}/listened` })
    // A stream through the balancer continues at another replica.
    const urls = [...ports.map((port) => `http://127.0.0.1:${port}`), balancer.url]
    streams = followStreams(
      Array.from({ length: STREAMS }, (_nothing, index) => urls[index % urls.length] ?? ''),
      expected,
    )
    for (const [index, incident] of incidents.entries()) {
      const ms = await runThrough(incident)
      await check(index === incidents.length - 1)
      const { answers, unanswered } = expected
      const happened = {
        number: index + 1,
        incident,
        ms,
        answers,
        unanswered,
        links: expected.links().length,
      }
      all.push(happened)
      onIncident(happened)
      if (problems.length > 0) break
    }
  } catch (error) {
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    streams?.close()
    await handle?.close()
    for (const replica of replicas.values()) {
      replica.child.kill('SIGCONT')
      await replica.end('SIGKILL')
    }
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

  /**
   * Sends load before, during and after an incident.
   *
   * @param {Incident} incident
   * @returns {Promise<number>} the longest time without an answer, in ms
   */
  async function runThrough(incident) {
    const leader = await withTimeout(findLeader(), TIMEOUT_MS, 'No replica leads.')
    let remaining = 1 + plan.below(MAX_ANSWERS)
    let isOver = false
    let isCaused = false
    let lastAnswer = performance.now()
    let longest = 0
    /** @type {Promise<void> | undefined} */
    let caused
    const caller = createCaller(
      balancer.url,
      (isAnswered) => {
        if (!isAnswered) {
          expected.unanswered++
          return
        }
        expected.answers++
        const now = performance.now()
        if (caused) longest = Math.max(longest, now - lastAnswer)
        lastAnswer = now
        if (--remaining > 0) return
        if (caused) {
          isOver ||= isCaused
          return
        }
        // Afterwards the load goes on for some time.
        caused = cause[incident](leader)
          .catch((error) => void problems.push(String(error)))
          .then(() => {
            remaining = ANSWERS_AFTERWARDS
            isCaused = true
          })
      },
      (what) => void problems.push(what),
      meaningOf,
    )
    const load = {
      caller,
      expected,
      random,
      origin: receivers.origin,
      url: balancer.url,
      isOver: () => isOver,
    }
    try {
      const paid = makePayments(load)
      await withTimeout(paid, TIMEOUT_MS, `The replicas hang after this incident: ${incident}.`)
      await caused
      return longest
    } finally {
      isOver = true
      await caller.close()
    }
  }

  /** @param {boolean} isLast */
  async function check(isLast) {
    const caller = createCaller(
      balancer.url,
      () => {},
      (what) => void problems.push(what),
      meaningOf,
    )
    try {
      if (isLast) await withTimeout(settle(caller), TIMEOUT_MS, 'The replicas do not settle at the end.')
      // No webhook may be sent between the snapshot and the look at the receivers.
      await caller.control('PUT', '/clock', { mode: 'frozen' })
      await caller.control('POST', '/settle', { timeoutMs: 60_000 })
      await withTimeout(
        /** @type {NonNullable<typeof streams>} */ (streams).complete(caller),
        TIMEOUT_MS,
        'A stream does not reach the end of the journal.',
      )
      const file = join(folder, 'check.db')
      await saveSnapshots(caller, file)
      const known = {
        expected,
        receivers,
        url: balancer.url,
        keep: KEEP,
        isSettled: isLast,
        refusesWebhooks: true,
        random: checkRandom,
      }
      problems.push(...checkDatabase(file, known))
      await caller.control('PUT', '/clock', { mode: 'running' })
    } finally {
      await caller.close()
    }
  }

  /**
   * Downloads the state as a database file, and the snapshots into a folder beside it.
   *
   * @param {import('./caller.js').Caller} caller
   * @param {string} file
   */
  async function saveSnapshots(caller, file) {
    const saved = `${file}.snapshots`
    rmSync(saved, { recursive: true, force: true })
    mkdirSync(saved)
    await caller.control('POST', '/snapshots', { name: 'check', replace: true })
    const list = await caller.control('GET', '/snapshots')
    for (const { name } of list?.body.snapshots ?? []) {
      const answer = await fetch(`${balancer.url}/_sandbox/v1/snapshots/${name}/file`)
      if (!answer.ok) throw new Error(`Snapshot ${name} cannot be downloaded: ${await answer.text()}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      writeFileSync(name === 'check' ? file : join(saved, `${name}.db`), bytes)
    }
  }
}

/**
 * Plans the incidents of a run with so many kills of the leader.
 *
 * @param {number} kills
 * @param {number} seed
 * @returns {Incident[]} in random order
 */
export function planIncidents(kills, seed) {
  const plan = createRandom(seed + 3)
  const all = INCIDENTS.flatMap(([incident, each]) =>
    Array.from({ length: Math.max(1, Math.round((kills * each) / 20)) }, () => incident),
  )
  for (let index = all.length - 1; index > 0; index--) {
    const other = plan.below(index + 1)
    const one = /** @type {Incident} */ (all[index])
    all[index] = /** @type {Incident} */ (all[other])
    all[other] = one
  }
  return all
}

/**
 * While no replica leads, calls are refused, and nothing is done. A connection that breaks within a call leaves its result open.
 *
 * @param {NonNullable<import('./caller.js').Answer>} answer
 * @returns {import('./caller.js').Meaning}
 */
function meaningOf({ status, text }) {
  if (status < 500) return 'answer'
  if (text.includes('Nothing was done')) return 'again'
  return text.includes('database') ? 'unknown' : 'answer'
}
