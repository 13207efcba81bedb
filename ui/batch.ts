const HIDDEN_PAGE_MS = 500

/** A page that renders in each frame leaves no time for the user's input, and nobody reads that fast. */
const PAUSE_MS = 100

/** Collects items and passes them on in an animation frame, ten times a second at most. In a hidden page, by a timer. */
export function createBatch<Item>(onBatch: (items: readonly Item[]) => void) {
  let items: Item[] = []
  let cancel: (() => void) | undefined
  let flushedAt = -Infinity

  function schedule(): void {
    const pause = flushedAt + PAUSE_MS - performance.now()
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
    flushedAt = performance.now()
    onBatch(batch)
  }

  // A hidden page gets no animation frames, not even one that was requested before.
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
