/** After so many payments that did not come in the whole time, the check waits more briefly for further ones. */
const MAX_UNPAID = 3

/** Without so many payments that came, the check does not know how long the app takes. */
const MIN_PAID = 10

/** The app may take so many times as long as it took for nine of ten payments. */
const MARGIN = 4

const SHORTEST_MS = 1_500

/**
 * How long the check waits until a payment has reached its order. Otherwise, an app with a mistake that many cases find would be checked for
 * minutes. `onPaid` gets how long each payment took. Other waits do not become shorter, because an app may take longer for other work.
 */
export function createPatience(fullMs: number, onPaid: (ms: number) => void = () => {}) {
  let unpaid = 0
  const times: number[] = []
  const usualMs = (): number => times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.9)]!
  return {
    fullMs,
    forPaymentMs: (): number =>
      unpaid < MAX_UNPAID || times.length < MIN_PAID
        ? fullMs
        : Math.min(fullMs, Math.max(SHORTEST_MS, inTenths(usualMs() * MARGIN))),
    recordPaid(ms: number): void {
      times.push(ms)
      onPaid(ms)
    },
    recordUnpaid(): void {
      unpaid += 1
    },
  }
}

/** Messages name this time. */
const inTenths = (ms: number): number => Math.ceil(ms / 100) * 100

export type Patience = ReturnType<typeof createPatience>
