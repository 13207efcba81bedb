import { once } from 'node:events'
import { Pool } from 'undici'
import { makeFolder, startProcess, startSandbox, startServer } from './processes.js'
import { percentile } from './statistics.js'

const REQUESTS = 3_000
const AT_ONCE = 16
const TUNNELS = 100
const BODY = 'ResponseCode=1&data%5Bpay_id%5D=1001&data%5Bamount%5D=100&data%5Bstatus%5D=Success'

/** @typedef {{ rate: number, p50: number, p99: number }} Figures */

/** @type {import('./report.js').Part} */
export const tunnels = {
  title: 'What a tunnel costs beside posting straight to the receiver',
  columns: ['tunnel', 'straight'],

  async run(bench) {
    const receiver = await startServer('receiver.js')
    const sandbox = await startSandbox(makeFolder(), { args: ['--keep', '0'] })
    const direct = await load(receiver.url, () => '/hooks')
    tell('a tunnel that captures', await load(sandbox.url, (number) => `/tunnel/idle/${number}`))
    for (const count of [1, TUNNELS]) {
      const listeners = await startProcess('listeners.js', {
        args: [sandbox.url, receiver.url, String(count)],
      })
      await listeners.orEnd(once(listeners.child, 'message'))
      const path = (/** @type {number} */ number) => `/tunnel/bench-${number % count}/${number % AT_ONCE}`
      const what = count === 1 ? 'a tunnel' : `${count} tunnels`
      tell(`${what} with a listener`, await load(sandbox.url, path))
      await listeners.end()
    }
    await sandbox.end()
    await receiver.end()

    /**
     * @param {string} what
     * @param {Figures} figures
     */
    function tell(what, { rate, p50, p99 }) {
      bench.row({ what: `${what}: requests`, unit: '/s', measured: rate, beside: direct.rate })
      bench.row({ what: `${what}: until the answer, p50`, unit: 'ms', measured: p50, beside: direct.p50 })
      bench.row({ what: `${what}: until the answer, p99`, unit: 'ms', measured: p99, beside: direct.p99 })
    }
  },
}

/**
 * Posts so many at once, until all are answered.
 *
 * @param {string} origin
 * @param {(number: number) => string} path
 * @returns {Promise<Figures>}
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
