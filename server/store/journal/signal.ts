/**
 * Wakes one waiter. If nobody waits, a notification wakes the next waiter. Several notifications within one turn of the event
 * loop wake it once.
 */
export function createSignal() {
  let isNotified = false
  let wake: (() => void) | undefined

  return {
    notify(): void {
      isNotified = true
      wake?.()
    },
    async wait(): Promise<void> {
      if (!isNotified) await new Promise<void>((resolve) => (wake = resolve))
      await new Promise<void>((resolve) => setImmediate(resolve))
      isNotified = false
    },
  }
}
