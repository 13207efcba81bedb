const HIDDEN_PAGE_MS = 500

/** Collects items and passes them on once per animation frame, in a hidden page by a timer. */
export function createBatch<Item>(onBatch: (items: readonly Item[]) => void) {
  let items: Item[] = []
  let cancel: (() => void) | undefined

  function schedule(): void {
    if (document.hidden) {
      const timer = setTimeout(flush, HIDDEN_PAGE_MS)
      cancel = () => clearTimeout(timer)
    } else {
      const frame = requestAnimationFrame(flush)
      cancel = () => cancelAnimationFrame(frame)
    }
  }

  function flush(): void {
    cancel?.()
    cancel = undefined
    if (items.length === 0) return
    const batch = items
    items = []
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
