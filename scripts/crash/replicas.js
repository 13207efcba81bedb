import { setTimeout as pause } from 'node:timers/promises'
import { freePort, spawnSandbox } from '../spawn-sandbox.js'
import { inTime } from './in-time.js'

const POLL_INTERVAL_MS = 20
const HEALTH_TIMEOUT_MS = 1_000

/** @typedef {ReturnType<typeof createReplicas>} Replicas */

/**
 * Sandboxes that share a database, each on a port of its own.
 *
 * @param {readonly number[]} ports
 * @param {{ args: readonly string[], cwd: string, problems: string[] }} options
 */
export function createReplicas(ports, { args, cwd, problems }) {
  /** @type {Map<number, ReturnType<typeof spawnSandbox>>} */
  const replicas = new Map()

  /** @type {(port: number) => Promise<void>} */
  async function start(port) {
    const replica = spawnSandbox(['--replicas', '--port', String(port), ...args], { cwd })
    replicas.set(port, replica)
    const url = await inTime(replica.ready, 'A replica does not start in time.')
    if (url === undefined) throw new Error(`A replica did not start: ${replica.errors.join(' ')}`)
  }

  return {
    ports,
    async startAll() {
      for (const port of ports) await start(port)
    },
    /** @type {(port: number) => Promise<void>} */
    async restart(port) {
      const code = await replicas.get(port)?.end('SIGTERM')
      if (code !== 0) problems.push(`A replica that was told to stop exited with ${code}.`)
      await start(port)
    },
    /**
     * Kills a replica, and starts it again.
     *
     * @type {(port: number) => Promise<void>}
     */
    async kill(port) {
      await replicas.get(port)?.end('SIGKILL')
      await start(port)
    },
    /** @type {(port: number, signal: NodeJS.Signals) => void} */
    signal(port, signal) {
      replicas.get(port)?.child.kill(signal)
    },
    /** @returns {Promise<number>} the port of the replica that leads */
    async findLeader() {
      for (;;) {
        for (const port of ports) if (await leads(port)) return port
        await pause(POLL_INTERVAL_MS)
      }
    },
    async killAll() {
      for (const replica of replicas.values()) {
        replica.child.kill('SIGCONT')
        await replica.end('SIGKILL')
      }
    },
  }
}

/** @type {(port: number) => Promise<boolean>} */
async function leads(port) {
  const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS)
  const answer = await fetch(`http://127.0.0.1:${port}/_sandbox/health`, { signal }).catch(() => null)
  /** @type {any} */
  const health = await answer?.json().catch(() => undefined)
  return health?.replica?.role === 'leader'
}

/**
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  /** @type {number[]} */
  const ports = []
  for (let index = 0; index < count; index++) ports.push(await freePort())
  return ports
}
