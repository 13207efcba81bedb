import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const SLOW_MS = 60

/** The paths of the receivers, named after how they answer. Faults affect only `faulty`. */
export const KINDS = /** @type {const} */ (['fast', 'other', 'slow', 'once-failing', 'failing', 'faulty'])

/**
 * Starts receivers of every kind on one port. They record what arrives, in order, and keep running when the sandbox is
 * killed.
 */
export async function startReceivers() {
  /** @type {Map<string, Map<number, number>>} how many webhooks arrived, by path and pay_id, in the order of the first arrival */
  const countsByPath = new Map()
  const server = createServer((request, response) => void handleRequest(request, response).catch(() => {}))

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  async function handleRequest(request, response) {
    const path = request.url ?? ''
    const payId = Number(new URLSearchParams(await text(request)).get('data[pay_id]'))
    const times = countsAt(path)
    const isFirst = !times.has(payId)
    times.set(payId, (times.get(payId) ?? 0) + 1)
    response.statusCode = path === '/failing' || (path === '/once-failing' && isFirst) ? 500 : 200
    if (path === '/slow') setTimeout(() => response.end(), SLOW_MS)
    else response.end()
  }

  /**
   * @param {string} path
   * @returns {Map<number, number>}
   */
  function countsAt(path) {
    const known = countsByPath.get(path)
    if (known) return known
    const times = new Map()
    countsByPath.set(path, times)
    return times
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return {
    origin,
    countsAt,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
