/**
 * Wakes whoever waits. If nobody waits, the next one to wait is woken at once. Several notifications within one turn of the event
 * loop wake a waiter only once.
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
