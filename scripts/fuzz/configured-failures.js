/**
 * @typedef {import('./http-request.js').Request} Request
 * @typedef {ReturnType<typeof createConfiguredFailures>} ConfiguredFailures
 */

const ANSWER_ROUTE = /^\/_sandbox\/v1\/tunnels\/([^/?]+)\/answer(\?|$)/

/** Remembers which 5xx answers were ever configured for which tunnel. A restored snapshot may bring back an old one. */
export function createConfiguredFailures() {
  /** @type {Map<string, Set<number>>} */
  const statusesByTunnel = new Map()
  return {
    /**
     * Call this before the request is sent, because other requests may get the new answer at once.
     *
     * @param {Request} request
     */
    record({ method, target, body }) {
      const [, name] = ANSWER_ROUTE.exec(target) ?? []
      if (method !== 'PUT' || name === undefined) return
      // The JSON may be encoded in UTF-16 or otherwise corrupted.
      const statuses = body.toString('latin1').replaceAll('\0', '').match(/5\d\d/g) ?? []
      statusesByTunnel.set(name, new Set([...(statusesByTunnel.get(name) ?? []), ...statuses.map(Number)]))
    },
    /**
     * @param {string} path
     * @param {number} status
     */
    has: (path, status) => statusesByTunnel.get(path.split('/')[2] ?? '')?.has(status) ?? false,
  }
}
