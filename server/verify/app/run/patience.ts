/** After so many cases that failed because something did not come in the whole time, the check waits more briefly. */
const MAX_FAILED_WAITS = 3

/** Without so many things that came, the check does not know how long the app takes. */
const MIN_ARRIVALS = 10

/** The app may take so many times as long as it took in nine of ten cases. */
const MARGIN = 4

const SHORTEST_MS = 1_500

/**
 * How long the check waits for what the app does after a webhook. Otherwise, an app with a mistake that many cases find would be checked
 * for minutes. `onPaid` gets how long each payment took to reach its order.
 */
export function createPatience(fullMs: number, onPaid: (ms: number) => void = () => {}) {
  let failedWaits = 0
  const arrivals: number[] = []
  const usualMs = (): number =>
    arrivals.toSorted((one, other) => one - other)[Math.floor(arrivals.length * 0.9)]!
  return {
    fullMs,
    nowMs: (): number =>
      failedWaits < MAX_FAILED_WAITS || arrivals.length < MIN_ARRIVALS
        ? fullMs
        : Math.min(fullMs, Math.max(SHORTEST_MS, inTenths(usualMs() * MARGIN))),
    /** Says that what the check waited for has come after this time. */
    hasCome(ms: number): void {
      arrivals.push(ms)
    },
    hasPaid: onPaid,
    /** Says that a case of this length has failed. */
    hasFailed(caseMs: number): void {
      failedWaits += Math.floor(caseMs / fullMs)
    },
  }
}

/** Messages name this time. */
const inTenths = (ms: number): number => Math.ceil(ms / 100) * 100

export type Patience = ReturnType<typeof createPatience>
