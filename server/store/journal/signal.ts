/**
 * Wakes one waiter. A notification without a waiter wakes the next one. Several notifications within one turn of the event
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
