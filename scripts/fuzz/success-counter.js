/** An operation must be called at least this often before it counts as never successful. */
const MIN_CALLS = 40
/** After this many failed calls in a row, the links that they name are probably used up. */
const MAX_FAILURES_IN_A_ROW = 60

/**
 * Counts the calls and the successful calls of each operation of the API.
 *
 * @param {import('../../server/platform/openapi/document.ts').Document} document
 */
export function createSuccessCounter({ paths }) {
  /** @type {Record<string, { called: number, succeeded: number }>} */
  const operations = Object.fromEntries(
    Object.keys(paths).map((path) => [path.split('/').at(-1), { called: 0, succeeded: 0 }]),
  )
  let failedInRow = 0
  return {
    operations,
    /**
     * @param {import('./http-request.js').Request} request
     * @param {import('./send.js').Answer} answer
     */
    record({ method, target, isWellFormed }, { body }) {
      const [, name = ''] = /^\/api\/v2\/(\w+)(?:\?|$)/.exec(target) ?? []
      const counted = operations[name]
      if (method !== 'POST' || !isWellFormed || counted === undefined) return
      counted.called += 1
      failedInRow += 1
      if (!body.toString().startsWith('{"ResponseCode":1,')) return
      counted.succeeded += 1
      failedInRow = 0
    },
    needsReset: () => failedInRow >= MAX_FAILURES_IN_A_ROW,
    recordReset() {
      failedInRow = 0
    },
    /** Returns a finding for each operation that never succeeded. */
    findings: () =>
      Object.entries(operations).flatMap(([name, { called, succeeded }]) =>
        called >= MIN_CALLS && succeeded === 0
          ? [`${name} was called ${called} times, but never succeeded`]
          : [],
      ),
  }
}
