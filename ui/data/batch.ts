/** The longest time that items wait for a frame. */
const MAX_WAIT_MS = 500

/**
 * Collects items and passes them on in an animation frame, with a pause after each batch. A page that is hidden, covered or on a
 * busy machine may get no frames, so items do not wait longer than a short time. The handler returns the length of the pause in
 * milliseconds.
 */
export function createBatch<Item>(onBatch: (items: readonly Item[]) => number) {
  let items: Item[] = []
  let cancel: (() => void) | undefined
  let pausedUntil = -Infinity

  function schedule(): void {
    const pause = pausedUntil - performance.now()
    if (pause <= 0) return flushInFrame()
    const timer = setTimeout(flushInFrame, pause)
    cancel = () => clearTimeout(timer)
  }

  function flushInFrame(): void {
    const frame = requestAnimationFrame(flush)
    const timer = setTimeout(flush, MAX_WAIT_MS)
    cancel = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }

  function flush(): void {
    cancel?.()
    cancel = undefined
    if (items.length === 0) return
    const batch = items
    items = []
    pausedUntil = performance.now() + onBatch(batch)
  }

  return {
    add(more: readonly Item[]): void {
      items.push(...more)
      if (!cancel) schedule()
    },
    flush,
  }
}
