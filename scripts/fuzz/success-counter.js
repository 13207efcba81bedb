/** So often has an operation of the API to be called before it can be said that it never succeeds. */
const MIN_CALLS = 40
/** After so many calls that all failed, of whatever operation, what they name is gone. */
const MAX_FAILURES_IN_A_ROW = 60

/**
 * How often which operation of the API was called, and succeeded.
 *
 * @param {import('../../server/openapi/document.ts').Document} document
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
    note({ method, target, isSound }, { body }) {
      const [, name = ''] = /^\/api\/v2\/(\w+)(?:\?|$)/.exec(target) ?? []
      const counted = operations[name]
      if (method !== 'POST' || !isSound || counted === undefined) return
      counted.called += 1
      failedInRow += 1
      if (!body.toString().startsWith('{"ResponseCode":1,')) return
      counted.succeeded += 1
      failedInRow = 0
    },
    isDry: () => failedInRow >= MAX_FAILURES_IN_A_ROW,
    refreshed() {
      failedInRow = 0
    },
    /** Those of which the side of success was never seen. */
    never: () =>
      Object.entries(operations).flatMap(([name, { called, succeeded }]) =>
        called >= MIN_CALLS && succeeded === 0
          ? [`${name} was called ${called} times, and never succeeded`]
          : [],
      ),
  }
}
