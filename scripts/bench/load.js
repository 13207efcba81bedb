import { Pool } from 'undici'
import { bodies, token } from './calls.js'
import { percentile } from './statistics.js'

/** @typedef {{ origin: string, operation: string, from: number, connections: number, ms: number, most?: number }} Load */
/** @typedef {{ calls: number, counted: number, rate: number, p50: number, p99: number }} Loaded */

// Makes calls as fast as they are answered, in a process of its own.
process.on('message', async (/** @type {Load} */ load) => process.send?.(await makeCalls(load)))
process.once('disconnect', () => process.exit())

/**
 * @param {Load} load
 * @returns {Promise<Loaded>} of all calls, those by which connections are opened are not counted
 */
async function makeCalls({ origin, operation, from, connections, ms, most = Infinity }) {
  const pool = new Pool(origin, { connections })
  const bodyOf = /** @type {(number: number) => object} */ (bodies[operation])
  const headers = { 'content-type': 'application/json', token }
  let next = from

  async function call() {
    const { body } = await pool.request({
      method: 'POST',
      path: `/api/v2/${operation}`,
      headers,
      body: JSON.stringify(bodyOf(next++)),
    })
    const text = await body.text()
    if (!text.includes('"ResponseCode":1')) throw new Error(`${operation} at ${origin} answered ${text}`)
  }
  await Promise.all(Array.from({ length: connections }, call))

  /** @type {number[]} */
  const times = []
  const began = performance.now()
  async function callOn() {
    for (let start = performance.now(); start - began < ms && next - from < most;) {
      await call()
      const end = performance.now()
      times.push(end - start)
      start = end
    }
  }
  await Promise.all(Array.from({ length: connections }, callOn))
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return {
    calls: next - from,
    counted: times.length,
    rate: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  }
}
