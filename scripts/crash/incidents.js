import { setTimeout as pause } from 'node:timers/promises'
// @ts-ignore - The package has no types.
import pg from 'pg'
import { createRandom } from '../random.js'

/** Longer than the database keeps the connection of a silent process. */
const FREEZE_MS = 8_000

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
 * What each incident does to the replica that leads, or to others.
 *
 * @param {import('./replicas.js').Replicas} replicas
 * @param {import('../start-postgres.js').PostgresServer} server
 * @returns {Readonly<Record<Incident, (leader: number) => Promise<void>>>}
 */
export const createIncidents = (replicas, server) => ({
  kill: replicas.kill,
  stop: replicas.restart,
  async 'restart all in turn'() {
    for (const port of replicas.ports) await replicas.restart(port)
  },
  'kill a follower': (leader) => replicas.kill(replicas.ports.find((port) => port !== leader) ?? leader),
  async freeze(leader) {
    replicas.signal(leader, 'SIGSTOP')
    await pause(FREEZE_MS)
    replicas.signal(leader, 'SIGCONT')
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
})
