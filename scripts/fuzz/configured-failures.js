/**
 * @typedef {import('./http-request.js').Request} Request
 * @typedef {ReturnType<typeof createConfiguredFailures>} ToldFailures
 */

const ANSWER_ROUTE = /^\/_sandbox\/v1\/tunnels\/([^/?]+)\/answer(\?|$)/

/** With which failures which tunnels were told to answer, ever: a snapshot brings back what a reset took. */
export function createConfiguredFailures() {
  /** @type {Map<string, Set<number>>} */
  const told = new Map()
  return {
    /**
     * Before it is sent, as others may be answered so at once.
     *
     * @param {Request} request
     */
    note({ method, target, body }) {
      const [, name] = ANSWER_ROUTE.exec(target) ?? []
      if (method !== 'PUT' || name === undefined) return
      // In whatever way it is packed into its JSON.
      const statuses = body.toString('latin1').replaceAll('\0', '').match(/5\d\d/g) ?? []
      told.set(name, new Set([...(told.get(name) ?? []), ...statuses.map(Number)]))
    },
    /**
     * @param {string} path
     * @param {number} status
     */
    has: (path, status) => told.get(path.split('/')[2] ?? '')?.has(status) ?? false,
  }
}
