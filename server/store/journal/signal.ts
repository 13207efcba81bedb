/**
 * Wakes the one who waits. Rung while nobody waits, it is heard by the next who does; rung many times in one turn of
 * the event loop, it is heard once.
 */
export function createSignal() {
  let rung = false
  let wake: (() => void) | undefined

  return {
    notify(): void {
      rung = true
      wake?.()
    },
    async wait(): Promise<void> {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve))
      await new Promise<void>((resolve) => setImmediate(resolve))
      rung = false
    },
  }
}
