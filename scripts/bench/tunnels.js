import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Pool } from 'undici'
import { root } from '../run.js'
import { percentile } from './frames.js'

/** @typedef {import('./inspector.js').Figure} Figure */

const REQUESTS = 3_000
const AT_ONCE = 16
const TUNNELS = 100
const BODY = 'ResponseCode=1&data%5Bpay_id%5D=1001&data%5Bamount%5D=100&data%5Bstatus%5D=Success'

/**
 * What a tunnel costs beside posting straight to the receiver, each in a process of its own.
 *
 * @param {(figure: Figure) => void} report
 */
export async function benchTunnels(report) {
  const receiver = await start('receiver.js')
  const { runSandbox } = await import(pathToFileURL(join(root, 'dist', 'server', 'sandbox.js')).href)
  const sandbox = await runSandbox({ keep: 0 })
  try {
    const direct = await load(receiver.said, () => '/hooks')
    tell('straight to the receiver', direct)
    tell('a tunnel that captures', await load(sandbox.url, (number) => `/tunnel/idle/${number}`), direct)
    for (const count of [1, TUNNELS]) {
      const listeners = await start('listeners.js', sandbox.url, receiver.said, String(count))
      const path = (/** @type {number} */ number) => `/tunnel/bench-${number % count}/${number % AT_ONCE}`
      const what = count === 1 ? 'a tunnel' : `${count} tunnels`
      tell(`${what} with a listener`, await load(sandbox.url, path), direct)
      await listeners.end()
    }
  } finally {
    await sandbox.close()
    await receiver.end()
  }

  /**
   * @param {string} what
   * @param {{ rate: number, p50: number, p99: number }} figures
   * @param {{ rate: number }} [base]
   */
  function tell(what, { rate, p50, p99 }, base) {
    report({ what: `${what}: requests a second`, measured: rate, unit: '/s' })
    if (base) report({ what: `${what}: of the rate straight to it`, measured: rate / base.rate, unit: '' })
    report({ what: `${what}: until the answer, p50`, measured: p50, unit: 'ms' })
    report({ what: `${what}: until the answer, p99`, measured: p99, unit: 'ms' })
  }
}

/**
 * A script beside this one, in a process of its own, once it has said something.
 *
 * @param {string} script
 * @param {...string} args
 */
async function start(script, ...args) {
  const child = fork(join(import.meta.dirname, script), args)
  const [said] = await once(child, 'message')
  return {
    said: String(said),
    async end() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/**
 * Posts so many at once, until all are answered.
 *
 * @param {string} origin
 * @param {(number: number) => string} path
 */
async function load(origin, path) {
  const pool = new Pool(origin, { connections: AT_ONCE })
  /** @type {number[]} */
  const times = []
  let next = 0
  async function post() {
    for (let number = next++; number < REQUESTS; number = next++) {
      const began = performance.now()
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: path(number),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: BODY,
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${origin}${path(number)} answered ${statusCode}`)
      times.push(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, post))
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return { rate: REQUESTS / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}
