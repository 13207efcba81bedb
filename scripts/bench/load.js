import { Pool } from 'undici'
import { apiRequest, webhookRequest } from './api-requests.js'
import { percentile } from './statistics.js'

/**
 * What to send: calls of one operation, numbered from `from`, or webhooks to the paths in turn.
 *
 * @typedef {{ operation: string, from: number } | { paths: readonly string[] }} What
 */
/**
 * With `reset`, each request has its own connection.
 *
 * @typedef {What & { origin: string, connections: number, ms?: number, maxCalls?: number, reset?: boolean }} Load
 */
/** @typedef {{ calls: number, rate: number, p50: number, p99: number }} Loaded */

// Sends calls as fast as they are answered, in another process. A refused call ends it.
process.on('message', async (/** @type {Load} */ load) => process.send?.(await makeCalls(load)))
process.once('disconnect', () => process.exit())

/**
 * @param {Load} load
 * @returns {Promise<Loaded>} without the first call of each connection, which opens it
 */
async function makeCalls({
  origin,
  connections,
  ms = Infinity,
  maxCalls = Infinity,
  reset = false,
  ...what
}) {
  const pool = new Pool(origin, { connections })
  let calls = 0

  async function call() {
    const number = calls++
    const request =
      'operation' in what
        ? apiRequest(what.operation, what.from + number)
        : webhookRequest(what.paths[number % what.paths.length] ?? '/')
    const { statusCode, body } = await pool.request({ ...request, reset })
    const text = await body.text()
    if (statusCode !== 200 || ('operation' in what && !text.includes('"ResponseCode":1'))) {
      throw new Error(`${origin}${request.path} answered ${statusCode} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, call))

  /** @type {number[]} */
  const times = []
  const began = performance.now()
  async function callInLoop() {
    for (let start = performance.now(); start - began < ms && calls < maxCalls;) {
      await call()
      const end = performance.now()
      times.push(end - start)
      start = end
    }
  }
  await Promise.all(Array.from({ length: connections }, callInLoop))
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return { calls, rate: times.length / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}
