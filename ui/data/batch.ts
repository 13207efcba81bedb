const HIDDEN_PAGE_MS = 500

/**
 * Collects items and passes them on in an animation frame, with a pause after each batch. On a hidden page, uses a timer
 * instead. The handler returns the length of the pause in milliseconds.
 */
export function createBatch<Item>(onBatch: (items: readonly Item[]) => number) {
  let items: Item[] = []
  let cancel: (() => void) | undefined
  let pausedUntil = -Infinity

  function schedule(): void {
    const pause = pausedUntil - performance.now()
    if (document.hidden || pause > 0) {
      const timer = document.hidden ? setTimeout(flush, HIDDEN_PAGE_MS) : setTimeout(flushInFrame, pause)
      cancel = () => clearTimeout(timer)
    } else flushInFrame()
  }

  function flushInFrame(): void {
    const frame = requestAnimationFrame(flush)
    cancel = () => cancelAnimationFrame(frame)
  }

  function flush(): void {
    cancel?.()
    cancel = undefined
    if (items.length === 0) return
    const batch = items
    items = []
    pausedUntil = performance.now() + onBatch(batch)
  }

  // A hidden page gets no animation frames, even if they were requested before.
  document.addEventListener('visibilitychange', () => {
    if (!cancel) return
    cancel()
    schedule()
  })

  return {
    add(more: readonly Item[]): void {
      items.push(...more)
      if (!cancel) schedule()
    },
    flush,
  }
}
